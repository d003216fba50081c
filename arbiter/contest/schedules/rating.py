"""Glicko ratings for matchmaking: the strength of every agent, and its uncertainty.

They are used to choose opponents, are fast to compute and need no other package. The ratings in reports are computed elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import exp, log, pi, sqrt

from arbiter.contest.scheduled import GameSummary, Played
from arbiter.records.scoring import compare_ranks

Ratings = Mapping[str, tuple[float, float]]
"""By agent: the mean and its uncertainty (one standard deviation)."""

START = (1500.0, 350.0)
LEAST_UNCERTAINTY = 30.0
_Q = log(10) / 400


def glicko(agents: Sequence[str], played: Played) -> dict[str, tuple[float, float]]:
    """Return the ratings. Games of one stage count as simultaneous; stages are applied in order."""
    ratings = dict.fromkeys(agents, START)
    for _, outcomes in groupby(played.values(), key=lambda outcome: outcome.game.stage):
        for agent, (surprise, information) in _evidence(outcomes, ratings).items():
            mean, uncertainty = ratings.get(agent, START)
            variance = 1 / (1 / uncertainty**2 + _Q**2 * information)
            ratings[agent] = (mean + _Q * variance * surprise, max(LEAST_UNCERTAINTY, sqrt(variance)))
    return ratings


def _evidence(outcomes: Iterable[GameSummary], ratings: Ratings) -> dict[str, tuple[float, float]]:
    """Return by agent the surprise (score minus expected score) and the information in it. Opponents at the same table
    share the weight of one game, since they are not independent."""
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
                    result = compare_ranks(ranks[seat], ranks[other])
                    surprise += damp * (result - expected) / (len(seats) - 1)
                    information += damp * damp * expected * (1 - expected) / (len(seats) - 1)
            sums[agent] = (surprise, information)
    return sums
