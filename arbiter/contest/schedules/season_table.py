"""The standings of a season: by points, with ties broken by the games of the tied agents against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

Gains = Mapping[str, float]
"""Points of one game, by agent."""


def rank(agents: Sequence[str], games: Sequence[Gains]) -> list[list[str]]:
    """Return the agents, best first, in groups of tied agents; a group keeps the order given."""
    return [group for equal in _groups(agents, total(agents, games)) for group in _break_tie(equal, games)]


def total(agents: Sequence[str], games: Sequence[Gains]) -> dict[str, float]:
    """Return the points of every agent over all games."""
    sums = dict.fromkeys(agents, 0.0)
    for gains in games:
        for agent, points in gains.items():
            sums[agent] += points
    return sums


def _break_tie(tied: Sequence[str], games: Sequence[Gains]) -> list[list[str]]:
    """Break a tie by the points of the games that the tied agents played together. For two agents that is who has more of
    them. For more agents it is the sum of the differences to each of the others, so that having played fewer such games
    is no disadvantage. Agents that are still tied are compared again among themselves."""
    ahead = dict.fromkeys(tied, 0.0)
    for gains in games:
        together = [agent for agent in tied if agent in gains]
        for agent in together:
            ahead[agent] += sum(gains[agent] - gains[other] for other in together)
    groups = _groups(tied, ahead)
    if len(groups) == 1:
        return [list(tied)]
    return [group for equal in groups for group in _break_tie(equal, games)]


def _groups(agents: Sequence[str], figures: Mapping[str, float]) -> list[list[str]]:
    """Return agents in groups of equal figures, the highest first."""
    ordered = sorted(agents, key=lambda agent: figures[agent], reverse=True)
    return [list(group) for _, group in groupby(ordered, key=lambda agent: figures[agent])]
