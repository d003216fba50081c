"""The results of a series of games as plain typed data: what ``play`` returns and ``--json`` prints."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiter.game import FaultKind
from arbiter.records.scoring import SeatResult, seat_result
from arbiter.records.summary import GameSummary


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

    games: list[GameSummary]
    totals: dict[str, Total]
    """Keyed by the name of the agent."""


def never_started(report: PlayReport) -> str:
    """Return why no agent could be started in any of the games; empty if one was."""
    faults = [fault for game in report.games for fault in game.faults]
    if len(faults) < sum(sum(game.answers) for game in report.games):
        return ""
    started = any(fault.kind not in (FaultKind.NOT_STARTED, FaultKind.SPENT) for fault in faults)
    return "" if started else next((fault.detail for fault in faults if fault.kind == FaultKind.NOT_STARTED), "")


def add_up(names: Sequence[str], games: Sequence[GameSummary]) -> dict[str, Total]:
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
