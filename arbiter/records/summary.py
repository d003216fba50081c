"""The summary of a game: the facts about it that lists, searches, statistics, standings and reports use.

:class:`SummaryCounter` is the only place where the lines of a record are counted. The game that is being played feeds it answer
by answer, and :func:`summarise` feeds it a record. Everything else reads the :class:`GameSummary`: the report of a series, the
games that a contest counts, the index of a folder, the columns of an archive, ``games``, ``stats``, the viewer and the arena.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import msgspec

from arbiter.game import FaultKind, Json
from arbiter.records.format import AnnulledLine, AnswerLine, GameDigest, Header, ResultLine
from arbiter.records.reader import Record
from arbiter.records.scoring import SeatResult, seat_result
from arbiter.records.search.moments import moment_us


class ScheduledGame(msgspec.Struct, frozen=True, order=True, gc=False):
    """One game of a contest or a series: who sits where, the seed and the stage."""

    seats: tuple[str, ...]
    """Names of the agents, by seat."""
    seed: int
    """Seed of everything random in the game. Games of the same agents with the same seed, in all seatings, form a deal:
    luck that favours one agent in one of them favours the others in the rest."""
    stage: str = ""
    """Stage of the contest: ``round 3``, ``final``; empty if there is only one stage."""


class FaultReport(msgspec.Struct, frozen=True, kw_only=True):
    """One fault: when, at which seat, and what happened."""

    turn: int
    seat: int
    kind: str
    detail: str


class GameSummary(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The summary of a game. Lists are by seat, but for the faults."""

    record: str = ""
    """Path of the saved game."""
    finished: bool = True
    """False for a game that was cut off or is still being played."""
    protocol: str
    version: int = 0
    """The version of the protocol."""
    contest: str = ""
    stage: str = ""
    number: int = 1
    """Its number in the series or contest."""
    seed: int
    """As in the header: in a contest with a secret, the number of the deal."""
    deal_seed: int | None = None
    """The seed of all random outcomes, if the header has only the number of the deal; None while it is secret."""
    commitment: str = ""
    """The SHA-256 of the contest's secret, if it has one."""
    started: str = ""
    ended: str = ""
    duration_us: int | None = None
    """From start to end; None if unknown."""
    seats: list[str]
    """The names of the agents."""
    fingerprints: list[str] = []
    """Hashes of the agents' programs."""
    ranks: list[int]
    """1 is best, tied seats share a rank; empty for an unfinished game, like the scores."""
    scores: list[float]
    turns: int = 0
    reason: str = ""
    """Why the game ended."""
    data: dict[str, Json] = {}
    """Further results that the protocol reports."""
    digest: str = ""
    """As in the record; equal games have equal digests."""
    moves_hash: str = ""
    """Equal for games of the same agents with the same setup and moves, even with different seeds."""
    host: str = ""
    """The machine of a cluster it was played on; empty for this machine."""
    annulled: str | None = None
    """Why the organiser annulled the game; None if it counts."""
    technical: bool = False
    """Whether an agent could not be started for the first turn: the machine, not the agents, decided the game."""
    answers: list[int] = []
    """Number of answers given."""
    think_us: list[int] = []
    """Time charged over the whole game."""
    slowest_us: list[int] = []
    """Time charged for the slowest single answer."""
    faults: list[FaultReport] = []
    """In the order of the game."""

    @cached_property
    def game(self) -> ScheduledGame:
        """The game of the contest that this is."""
        return ScheduledGame(tuple(self.seats), self.seed, self.stage)

    def second_scores(self, name: str) -> list[float] | None:
        """Return the list in the data that a second ranking is based on, more being better; None if there is none."""
        found = self.data.get(name) if name else None
        return list(map(float, found)) if isinstance(found, list) and len(found) == len(self.seats) else None

    def ending(self, seat: int) -> SeatResult | None:
        """Return the result for a seat; None if the game is not finished."""
        return seat_result(self.ranks, seat) if self.finished else None

    def fault_counts(self) -> list[dict[str, int]]:
        """Return the number of faults by kind, for each seat."""
        counts: list[Counter[str]] = [Counter() for _ in self.seats]
        for fault in self.faults:
            counts[fault.seat][fault.kind] += 1
        return list(map(dict, counts))


class SummaryCounter:
    """Counts the lines of one game, in the order of the record."""

    def __init__(self, header: Header) -> None:
        self._header = header
        seats = len(header.seats)
        self._turn, self._turns = 0, 0
        self._answers, self._think, self._slowest = [0] * seats, [0] * seats, [0] * seats
        self._faults: list[FaultReport] = []
        self._technical = False

    def add(self, line: AnswerLine) -> None:
        """Count one more answer."""
        seat, charged = line.seat, line.charged_us
        if line.turn != self._turn:
            self._turn = line.turn
            self._turns += 1
        self._answers[seat] += 1
        self._think[seat] += charged
        self._slowest[seat] = max(self._slowest[seat], charged)
        if fault := line.fault:
            self._faults.append(FaultReport(turn=line.turn, seat=seat, kind=fault.kind, detail=fault.detail))
            # In later turns, an agent that has run may itself have caused that it, or another one, cannot be started.
            self._technical |= fault.kind == FaultKind.NOT_STARTED and line.turn == 1

    def close(
        self, record: str, result: ResultLine | None, moves_hash: str, annulled: AnnulledLine | None = None
    ) -> GameSummary:
        """Return the summary; ``result`` is None for a game that was cut off."""
        header = self._header
        for index, seat in enumerate(header.seats):
            # The rules may not ask a player who never came.
            if seat.language == FaultKind.ABSENT and not seat.command and not self._answers[index]:
                self._faults.append(
                    FaultReport(turn=1, seat=index, kind=seat.language, detail="nobody plays this seat")
                )
        return GameSummary(
            record=record,
            finished=result is not None,
            protocol=header.protocol,
            version=header.version,
            contest=header.contest,
            stage=header.stage,
            number=header.game,
            seed=header.seed,
            deal_seed=result.deal_seed if result else None,
            commitment=header.commitment,
            started=header.started,
            ended=result.ended if result else "",
            duration_us=_between(header.started, result.ended) if result else None,
            seats=[seat.name for seat in header.seats],
            fingerprints=[seat.fingerprint for seat in header.seats],
            ranks=result.ranks if result else [],
            scores=result.scores if result else [],
            turns=self._turns,
            reason=result.reason if result else "",
            data=result.data if result else {},
            digest=result.digest if result else "",
            moves_hash=moves_hash,
            host=header.host.name if header.host else "",
            annulled=annulled.because if annulled else None,
            technical=self._technical,
            answers=self._answers,
            think_us=self._think,
            slowest_us=self._slowest,
            faults=self._faults,
        )


def summarise(record: Record, digest: GameDigest | None = None) -> GameSummary:
    """Return the summary of a record; ``digest`` is that of the record, if it is known."""
    counter = SummaryCounter(record.header)
    for line in record.answers:
        counter.add(line)
    moves_hash = (digest or record.digest()).moves_hash()
    return counter.close(str(record.path), record.result, moves_hash, record.annulled)


def _between(started: str, ended: str) -> int | None:
    """Return the time between two moments of a record in microseconds; None if it is unknown."""
    first, last = moment_us(started), moment_us(ended)
    # If the system clock was set back during the game, the duration is unknown.
    return last - first if first is not None and last is not None and last >= first else None
