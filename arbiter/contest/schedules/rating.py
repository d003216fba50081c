"""A rating for matchmaking, after Glicko: how strong an agent is and how uncertain that is.

It is for choosing opponents, quick and without dependencies. What a contest publishes may come from elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from math import exp, log, pi, sqrt

from arbiter.contest.scheduled import Outcome, Played

Ratings = Mapping[str, tuple[float, float]]
"""Mean and uncertainty, one standard deviation, by agent."""
Rate = Callable[[Sequence[str], Played], Ratings]
"""Ratings of these agents, from what was played in the order of the schedule."""

START = (1500.0, 350.0)
LEAST_UNCERTAINTY = 30.0
_Q = log(10) / 400


def glicko(agents: Sequence[str], played: Played) -> dict[str, tuple[float, float]]:
    """Games of one stage count as played at the same time, and stages in the order in which they come."""
    ratings = dict.fromkeys(agents, START)
    for _, outcomes in groupby(played.values(), key=lambda outcome: outcome.game.stage):
        for agent, (surprise, information) in _evidence(outcomes, ratings).items():
            mean, uncertainty = ratings.get(agent, START)
            variance = 1 / (1 / uncertainty**2 + _Q**2 * information)
            ratings[agent] = (mean + _Q * variance * surprise, max(LEAST_UNCERTAINTY, sqrt(variance)))
    return ratings


def _evidence(outcomes: Iterable[Outcome], ratings: Ratings) -> dict[str, tuple[float, float]]:
    """By agent, how much more it won than was expected, and how much that tells. The opponents at a table share the
    weight of one game, as they are not independent."""
    sums: dict[str, tuple[float, float]] = {}
    for outcome in outcomes:
        seats, ranks = outcome.game.seats, outcome.ranks
        known = [ratings.get(agent, START) for agent in seats]
        damped = [1 / sqrt(1 + 3 * (_Q * uncertainty / pi) ** 2) for _, uncertainty in known]
        for seat, agent in enumerate(seats):
            surprise, information = sums.get(agent, (0.0, 0.0))
            for other, damp in enumerate(damped):
                if other != seat:
                    expected = 1 / (1 + exp(_Q * damp * (known[other][0] - known[seat][0])))
                    result = 1.0 if ranks[seat] < ranks[other] else 0.5 if ranks[seat] == ranks[other] else 0.0
                    surprise += damp * (result - expected) / (len(seats) - 1)
                    information += damp * damp * expected * (1 - expected) / (len(seats) - 1)
            sums[agent] = (surprise, information)
    return sums
