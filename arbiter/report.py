"""The results of a series of games as plain typed data: what ``play`` returns and ``--json`` prints."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiter.game import Json
from arbiter.records.format import AnswerLine, Header, ResultLine
from arbiter.scoring import SeatResult, seat_result


class FaultReport(msgspec.Struct, frozen=True, kw_only=True):
    """One fault: when, at which seat, and what happened."""

    turn: int
    seat: int
    kind: str
    detail: str


class GameReport(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game. Lists are by seat."""

    record: str
    """Path of the saved game."""
    protocol: str
    seed: int
    seats: list[str]
    """Names of the agents."""
    ranks: list[int]
    scores: list[float]
    turns: int
    reason: str
    faults: list[FaultReport]
    data: dict[str, Json]
    digest: str
    think_us: list[int]
    """Time charged over the whole game."""
    slowest_us: list[int]
    """Time charged for the slowest single answer."""
    answers: list[int]
    """Number of answers given."""


class Total(msgspec.Struct, kw_only=True):
    """The totals of one agent over all games."""

    games: int = 0
    wins: int = 0
    """Games in which it had rank 1 alone."""
    draws: int = 0
    """Games in which it shared rank 1."""
    losses: int = 0
    score: float = 0.0
    """Sum of its scores, in the game's own points."""
    faults: int = 0
    answers: int = 0
    think_us: int = 0
    slowest_us: int = 0


class PlayReport(msgspec.Struct, frozen=True, kw_only=True):
    """All games of a series, and the totals by agent."""

    games: list[GameReport]
    totals: dict[str, Total]
    """Keyed by the name of the agent."""


class GameFigures:
    """Collects the figures of one game, answer by answer."""

    def __init__(self, header: Header) -> None:
        self._header = header
        seats = len(header.seats)
        self._think, self._slowest, self._answers = [0] * seats, [0] * seats, [0] * seats
        self._faults: list[FaultReport] = []

    def add(self, line: AnswerLine) -> None:
        """Count one more answer."""
        self._think[line.seat] += line.charged_us
        self._slowest[line.seat] = max(self._slowest[line.seat], line.charged_us)
        self._answers[line.seat] += 1
        if line.fault:
            detail = line.fault.detail
            self._faults.append(FaultReport(turn=line.turn, seat=line.seat, kind=line.fault.kind, detail=detail))

    def close(self, record: str, result: ResultLine) -> GameReport:
        """Return the report of the finished game."""
        return GameReport(
            record=record,
            protocol=self._header.protocol,
            seed=self._header.seed,
            seats=[seat.name for seat in self._header.seats],
            ranks=result.ranks,
            scores=result.scores,
            turns=result.turns,
            reason=result.reason,
            faults=self._faults,
            data=result.data,
            digest=result.digest,
            think_us=self._think,
            slowest_us=self._slowest,
            answers=self._answers,
        )


def add_up(names: Sequence[str], games: Sequence[GameReport]) -> dict[str, Total]:
    """Return the totals by agent."""
    totals = {name: Total() for name in names}
    for game in games:
        for seat, name in enumerate(game.seats):
            total = totals[name]
            total.games += 1
            result = seat_result(game.ranks, seat)
            total.wins += result is SeatResult.WON
            total.draws += result is SeatResult.DREW
            total.losses += result is SeatResult.LOST
            total.score = round(total.score + game.scores[seat], 6)  # hides rounding errors of sums such as 0.1 + 0.2
            total.faults += sum(fault.seat == seat for fault in game.faults)
            total.answers += game.answers[seat]
            total.think_us += game.think_us[seat]
            total.slowest_us = max(total.slowest_us, game.slowest_us[seat])
    return totals
