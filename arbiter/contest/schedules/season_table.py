"""The table of a season: points, and between agents with equal points the games they had with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

Gains = Mapping[str, float]
"""Points of one game by agent."""


def rank(agents: Sequence[str], games: Sequence[Gains]) -> list[list[str]]:
    """Agents, best first; those that nothing separates are together, in the order they were given in."""
    return [group for equal in _equals(agents, total(agents, games)) for group in _tell_apart(equal, games)]


def total(agents: Sequence[str], games: Sequence[Gains]) -> dict[str, float]:
    """Points of all games, by agent."""
    sums = dict.fromkeys(agents, 0.0)
    for gains in games:
        for agent, points in gains.items():
            sums[agent] += points
    return sums


def _tell_apart(tied: Sequence[str], games: Sequence[Gains]) -> list[list[str]]:
    """By the points of the games that featured them together: of two, whoever has more of them is ahead. Of more, what
    counts is the sum of the differences to each of the others, so that who had fewer such games does not lose by that.
    Whoever is still tied is compared once more without the rest."""
    ahead = dict.fromkeys(tied, 0.0)
    for gains in games:
        together = [agent for agent in tied if agent in gains]
        for agent in together:
            ahead[agent] += sum(gains[agent] - gains[other] for other in together)
    groups = _equals(tied, ahead)
    if len(groups) == 1:
        return [list(tied)]
    return [group for equal in groups for group in _tell_apart(equal, games)]


def _equals(agents: Sequence[str], figures: Mapping[str, float]) -> list[list[str]]:
    """Agents in groups of the same figure, the highest first."""
    ordered = sorted(agents, key=lambda agent: figures[agent], reverse=True)
    return [list(group) for _, group in groupby(ordered, key=lambda agent: figures[agent])]
