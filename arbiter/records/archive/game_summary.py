"""The summary of a saved game that the index keeps."""

from __future__ import annotations

import msgspec

from arbiter.records.archive.moments import moment_us
from arbiter.records.reader import Record
from arbiter.scoring import SeatResult, seat_result


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a saved game. Lists are by seat."""

    record: str = ""
    """The path of the record."""
    finished: bool
    """False for a game that was cut off or is still being played."""
    protocol: str
    seed: int
    contest: str
    stage: str
    started: str
    ended: str
    duration_us: int | None
    """From start to end; None if unknown."""
    turns: int
    seats: list[str]
    """The names of the agents."""
    ranks: list[int]
    """Empty for an unfinished game, like the scores."""
    scores: list[float]
    faults: list[dict[str, int]]
    """The number of faults by kind."""
    reason: str
    """Why the game ended."""
    digest: str
    """As in the record; equal games have equal digests."""

    def ending(self, seat: int) -> SeatResult | None:
        """Return the result for a seat; None if the game is not finished."""
        return seat_result(self.ranks, seat) if self.finished else None


def summarise_record(record: Record) -> GameSummary:
    """Return the summary of a record."""
    header, result = record.header, record.result
    faults: list[dict[str, int]] = [{} for _ in header.seats]
    for line in record.answers:
        if line.fault:
            kinds = faults[line.seat]
            kinds[line.fault.kind] = kinds.get(line.fault.kind, 0) + 1
    return GameSummary(
        finished=result is not None,
        protocol=header.protocol,
        seed=header.seed,
        contest=header.contest,
        stage=header.stage,
        started=header.started,
        ended=result.ended if result else "",
        duration_us=between(header.started, result.ended) if result else None,
        turns=len({line.turn for line in record.answers}),
        seats=record.names,
        ranks=result.ranks if result else [],
        scores=result.scores if result else [],
        faults=faults,
        reason=result.reason if result else "",
        digest=result.digest if result else "",
    )


def between(started: str, ended: str) -> int | None:
    """Return the time between two moments of a record in microseconds; None if it is unknown."""
    first, last = moment_us(started), moment_us(ended)
    # If the system clock was set back during the game, the duration is unknown.
    return last - first if first is not None and last is not None and last >= first else None
