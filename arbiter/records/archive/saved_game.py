"""What is known of a saved game without opening it."""

from __future__ import annotations

import msgspec

from arbiter.records.archive.moments import moment_us
from arbiter.records.reader import Record
from arbiter.scoring import SeatResult, seat_result


class SavedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A saved game in short. Lists are by seat."""

    record: str = ""
    """Where it is saved."""
    finished: bool
    """False for a game that was cut off, or is being played."""
    protocol: str
    seed: int
    contest: str
    stage: str
    started: str
    ended: str
    duration_us: int | None
    """From start to end; None where that is not known."""
    turns: int
    seats: list[str]
    """Names of the agents."""
    ranks: list[int]
    """Empty, like scores, for a game that is not finished."""
    scores: list[float]
    faults: list[dict[str, int]]
    """How many of which kind."""
    reason: str
    """Why it ended."""
    digest: str
    """As its record has it; equal games have equal ones."""

    def ending(self, seat: int) -> SeatResult | None:
        """What the game was for a seat; None if it is not finished."""
        return seat_result(self.ranks, seat) if self.finished else None


def summarise(record: Record) -> SavedGame:
    """A record in short."""
    header, result = record.header, record.result
    faults: list[dict[str, int]] = [{} for _ in header.seats]
    for line in record.answers:
        if line.fault:
            kinds = faults[line.seat]
            kinds[line.fault.kind] = kinds.get(line.fault.kind, 0) + 1
    return SavedGame(
        finished=result is not None,
        protocol=header.protocol,
        seed=header.seed,
        contest=header.contest,
        stage=header.stage,
        started=header.started,
        ended=result.ended if result else "",
        duration_us=_between(header.started, result.ended) if result else None,
        turns=len({line.turn for line in record.answers}),
        seats=record.names,
        ranks=result.ranks if result else [],
        scores=result.scores if result else [],
        faults=faults,
        reason=result.reason if result else "",
        digest=result.digest if result else "",
    )


def _between(started: str, ended: str) -> int | None:
    first, last = moment_us(started), moment_us(ended)
    # A clock that was set back in the middle has measured nothing.
    return last - first if first is not None and last is not None and last >= first else None
