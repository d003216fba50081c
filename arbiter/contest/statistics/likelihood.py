"""The log-likelihood of ranked games as a function of the agents' worths: its maximum, and the covariance there.

Worths are natural logarithms, agents are indices. The function is concave. It does not depend on the mean worth of a
group of comparable agents; that mean is set to 0.

The model reads a ranking as a first agent chosen from all, a second chosen from the rest, and so on. Tied ranks leave the
order open: they stand for every possible order with equal weight. So a draw between two is half a win for each, and with
two seats the ratings follow from the score, as Elo's do. The orders are not enumerated: only the sets that agents are
chosen from, and how often, matter.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from operator import mul

from arbiter.contest.statistics.bounded_mean import Z95
from arbiter.contest.statistics.matrix import Matrix, factor, inverse, sandwich, solve
from arbiter.contest.statistics.pairs import DealKey

Choice = tuple[tuple[int, ...], float]
"""A set of agents that one was chosen from, and its weight."""
_MOST_ENUMERATED = 6
"""Up to this number of tied agents, all 2^n subsets are enumerated."""


def choices(agents: Sequence[int], ranks: Sequence[int]) -> list[Choice]:
    """Return all choices among two or more agents that a ranking stands for."""
    found: list[Choice] = []
    left = sorted(zip(ranks, agents, strict=True))
    while left:
        tied = [agent for rank, agent in left if rank == left[0][0]]
        left = left[len(tied) :]
        behind = [agent for _, agent in left]
        for size in range(len(tied), 0, -1):
            if size + len(behind) > 1:
                subsets = list(_subsets(tied, size))
                found += [(tuple(sorted([*subset, *behind])), 1 / len(subsets)) for subset in subsets]
    return found


def times_chosen(agents: Sequence[int], ranks: Sequence[int]) -> dict[int, float]:
    """Return how often each agent was chosen. The last one left was not chosen from anything."""
    last = [agent for agent, rank in zip(agents, ranks, strict=True) if rank == max(ranks)]
    times = dict.fromkeys(agents, 1.0)
    for agent in last:
        times[agent] -= 1 / len(last)
    return times


def _subsets(tied: Sequence[int], size: int) -> Iterable[Sequence[int]]:
    """Return the subsets of this size of tied agents: all of them, or a fair selection if there are many."""
    if len(tied) <= _MOST_ENUMERATED or comb(len(tied), size) <= len(tied):
        return combinations(tied, size)
    return _arcs(tied, size)


def _arcs(tied: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Return runs of neighbours on a circle, so that every agent is in equally many."""
    around = [*tied, *tied]
    return (around[start : start + size] for start in range(len(tied)))


_ITERATIONS = 200
_CLOSE = 1e-9
"""A step that gains less log-likelihood than this ends the iteration."""
_STRIDE = 3.0
"""The most a worth changes in one step: far from the maximum, Newton's method overshoots."""
_NOISE = 1e-13
"""Relative rounding error of a sum of many logarithms."""


class RankedGame:
    """The ranking of one game, with agents as indices."""

    __slots__ = ("agents", "choices", "chosen", "deal")

    def __init__(self, deal: DealKey, agents: Sequence[int], ranks: Sequence[int]) -> None:
        self.deal = deal
        self.agents = agents
        self.choices = choices(agents, ranks)
        self.chosen = times_chosen(agents, ranks)


class Likelihood:
    """The log-likelihood as a function of the logarithms of worth."""

    def __init__(self, games: Sequence[RankedGame], groups: Sequence[Sequence[int]], held: set[int]) -> None:
        self.games, self.groups, self.held = games, groups, held
        self.size = sum(map(len, groups))
        self.count = Counter(agent for game in games for agent in game.agents)
        sets: dict[tuple[int, ...], float] = {}
        self._chosen = [0.5 * (agent in held) for agent in range(self.size)]
        for game in games:
            for members, weight in game.choices:
                sets[members] = sets.get(members, 0.0) + weight
            for agent, times in game.chosen.items():
                self._chosen[agent] += times
        self._sets: list[Choice] = list(sets.items())

    def maximum(self) -> list[float]:
        """Return the worths at the maximum, by Newton's method. The function is concave, so any ascent leads there."""
        worth = [0.0] * self.size
        value, slope, curvature = self._at(worth)
        for _ in range(_ITERATIONS):
            step = solve(factor(curvature), slope)
            if sum(map(mul, step, slope)) <= _CLOSE:
                worth = _moved(worth, step, 1.0)
                break
            scale = min(1.0, _STRIDE / max(map(abs, step)))
            trial = _moved(worth, step, scale)
            while (after := self._at(trial))[0] < value - _NOISE * abs(value):
                scale /= 2
                trial = _moved(worth, step, scale)
            worth, (value, slope, curvature) = trial, after
        return self._centred(worth)

    def curvature(self, worth: Sequence[float]) -> Matrix:
        """Return the negative Hessian: its inverse is the covariance if games are independent and the model is right."""
        return self._at(worth)[2]

    def covariance(self, worth: Sequence[float]) -> Matrix:
        """Return the covariance of the worths: the robust one, plus the model's own as if from four more deals, and the
        model's own in full for agents held by an imaginary draw."""
        bread = inverse(self.curvature(worth))
        model = self._centred_matrix(bread)
        scatter, deals = self._scatter(worth)
        robust = sandwich(bread, scatter)
        extra = [
            math.sqrt(Z95**2 * self.count[agent] / deals[agent] ** 2 + (agent in self.held)) if deals[agent] else 0.0
            for agent in range(self.size)
        ]
        total = [
            [value + extra[i] * extra[j] * model[i][j] for j, value in enumerate(row)] for i, row in enumerate(robust)
        ]
        return self._centred_matrix(total)

    def _at(self, worth: Sequence[float]) -> tuple[float, list[float], Matrix]:
        """Return value, gradient and negative Hessian. The Hessian is filled below the diagonal only; where nothing fixes
        the mean of a group, a term is added that does, so that it is positive definite."""
        exponentials = [math.exp(value) for value in worth]
        value = sum(map(mul, self._chosen, worth))
        slope = list(self._chosen)
        curvature = [[0.0] * self.size for _ in worth]
        for members, weight in self._sets:
            worths = [exponentials[agent] for agent in members]
            total = sum(worths)
            value -= weight * math.log(total)
            shares = [one / total for one in worths]
            for place, agent in enumerate(members):
                expected = weight * shares[place]
                slope[agent] -= expected
                row = curvature[agent]
                row[agent] += expected
                for other, share in zip(members[: place + 1], shares, strict=False):
                    row[other] -= expected * share
        for agent in self.held:
            share = exponentials[agent] / (1 + exponentials[agent])
            value -= math.log1p(exponentials[agent])
            slope[agent] -= share
            curvature[agent][agent] += share * (1 - share)
        for group in self.groups:
            if group[0] not in self.held:
                for agent in group:
                    for other in group:
                        curvature[agent][other] += 1 / len(group)
        return value, slope, curvature

    def _scatter(self, worth: Sequence[float]) -> tuple[Matrix, Counter[int]]:
        """Return the scatter of the deals' gradients, and the number of deals per agent."""
        slopes: dict[DealKey, dict[int, float]] = {}
        for game in self.games:
            slope = slopes.setdefault(game.deal, dict.fromkeys(game.agents, 0.0))
            for agent, times in game.chosen.items():
                slope[agent] += times
            for members, weight in game.choices:
                worths = [math.exp(worth[agent]) for agent in members]
                total = sum(worths)
                for agent, one in zip(members, worths, strict=True):
                    slope[agent] -= weight * one / total
        scatter = [[0.0] * self.size for _ in worth]
        deals: Counter[int] = Counter()
        for slope in slopes.values():
            deals.update(slope.keys())
            for agent, own in slope.items():
                row = scatter[agent]
                for other, theirs in slope.items():
                    row[other] += own * theirs
        return scatter, deals

    def _centred(self, values: list[float]) -> list[float]:
        centred = list(values)
        for group in self.groups:
            mean = math.fsum(values[agent] for agent in group) / len(group)
            for agent in group:
                centred[agent] -= mean
        return centred

    def _centred_matrix(self, matrix: Matrix) -> Matrix:
        halfway = [self._centred(row) for row in matrix]
        return [self._centred(list(column)) for column in zip(*halfway, strict=True)]


def _moved(worth: Sequence[float], step: Sequence[float], scale: float) -> list[float]:
    return [old + scale * change for old, change in zip(worth, step, strict=True)]
