"""Points and places of single games, collected for schedules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arbiter.contest.scheduled import GameSummary
from arbiter.records.scoring import Scoring, points


def lowest_shared_place(ranks: Sequence[int]) -> list[int]:
    """Return the place of every seat, from 1; tied seats all get the lowest of the places they share."""
    return [sum(other <= mine for other in ranks) for mine in ranks]


def points_by_agent(outcomes: Iterable[GameSummary], scoring: Scoring) -> dict[str, list[float]]:
    """Return the points of every agent, game by game."""
    found: dict[str, list[float]] = {}
    for outcome in outcomes:
        for seat, agent in enumerate(outcome.game.seats):
            found.setdefault(agent, []).append(points(outcome.ranks, seat, scoring))
    return found
