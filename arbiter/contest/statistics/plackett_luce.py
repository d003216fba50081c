"""Ratings of any number of agents from games of any number of seats: the likeliest in the model of Plackett and Luce.

An agent has a worth, and comes first with the probability of its share in the worth of all at the table; then the same
among the rest. 400 Elo are a worth of ten to one, so that between two agents the rating is that of the score. Level
ranks: see :mod:`arbiter.contest.statistics.rankings`. The mean of all ratings is 0.

*Intervals.* Games that belong together are one observation, and draws make scores less uncertain than the model knows.
So the variance is the robust one: the curvature of the likelihood around what the deals really scattered by. A few
deals that happen to agree would then look certain; so the model's own variance is added as if it came from four more
deals of the most uncertain kind, which is what Wilson's interval does to a share. It fades as games come in.

*Who won everything* has no finite rating. Where somebody, or some group, was never beaten by the others, everybody
connected to them is given one draw against an imaginary agent of rating 0, and the variance of the model in full; the
names are in ``held``. *Who never met*, not even through others, cannot be compared: groups are rated apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from arbiter.contest.scheduled import Outcome
from arbiter.contest.statistics.bounded_mean import Z95
from arbiter.contest.statistics.elo import ELO_PER_NAT
from arbiter.contest.statistics.graph import components
from arbiter.contest.statistics.likelihood import Likelihood, RankedGame
from arbiter.contest.statistics.matrix import Matrix
from arbiter.contest.statistics.pairs import deal_of


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """One agent. Infinity, which is null in JSON, where nothing is known."""

    name: str
    games: int
    elo: float
    """Above the mean of its group."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    group: int
    """Only ratings of the same group can be compared; 0 is the group with the most agents."""

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """All agents, best first in every group."""

    ratings: list[Rating]
    groups: int
    held: list[str]
    """Agents whose likeliest rating is infinite, and all connected to them: held back by one imaginary draw each."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What the games say, in natural logarithms of worth."""

    names: Sequence[str]
    games: Sequence[int]
    worth: Sequence[float]
    """Logarithms, with mean 0 in every group."""
    covariance: Matrix
    groups: Sequence[Sequence[int]]
    """Indices of the agents that can be compared, most agents first."""
    held: Sequence[int]

    def ratings(self) -> Ratings:
        """In Elo."""
        found = [self._rating(index, number) for number, group in enumerate(self.groups) for index in group]
        found.sort(key=lambda rating: (rating.group, -round(rating.elo, 6), rating.name))
        return Ratings(ratings=found, groups=len(self.groups), held=sorted(self.names[index] for index in self.held))

    def lead(self, one: str, other: str) -> tuple[float, float, float] | None:
        """Of one agent over another in Elo, with its 95 % interval; None if they cannot be compared."""
        i, j = self.names.index(one), self.names.index(other)
        if not any(i in group and j in group for group in self.groups):
            return None
        variance = self.covariance[i][i] + self.covariance[j][j] - 2 * self.covariance[i][j]
        return _with_interval(self.worth[i] - self.worth[j], variance)

    def _rating(self, index: int, number: int) -> Rating:
        variance = self.covariance[index][index] if len(self.groups[number]) > 1 else math.inf
        elo, low, high = _with_interval(self.worth[index], variance)
        return Rating(name=self.names[index], games=self.games[index], elo=elo, low=low, high=high, group=number)


def rate(outcomes: Iterable[Outcome], names: Iterable[str] = ()) -> Ratings:
    """Ratings of all agents in these games, and of others that are to be listed."""
    return fit(outcomes, names).ratings()


def fit(outcomes: Iterable[Outcome], names: Iterable[str] = ()) -> Fit:
    """The likeliest worths. Games of one seat, or with an agent in two, say nothing and are left out."""
    told = (outcome for outcome in outcomes if len(outcome.key.seats) == len(set(outcome.key.seats)) > 1)
    played = sorted(told, key=lambda outcome: outcome.key)  # sums depend on their order in the last digit
    known = sorted({*names, *(name for outcome in played for name in outcome.key.seats)})
    index = {name: place for place, name in enumerate(known)}
    games = [RankedGame(deal_of(one.key), [index[name] for name in one.key.seats], one.ranks) for one in played]
    groups, held = _comparable(known, played)
    likelihood = Likelihood(
        games, [[index[name] for name in group] for group in groups], {index[name] for name in held}
    )
    worth = likelihood.maximum()
    return Fit(
        names=known,
        games=[likelihood.count[place] for place in range(len(known))],
        worth=worth,
        covariance=likelihood.covariance(worth),
        groups=likelihood.groups,
        held=sorted(likelihood.held),
    )


def _with_interval(worth: float, variance: float) -> tuple[float, float, float]:
    elo, margin = ELO_PER_NAT * worth, ELO_PER_NAT * Z95 * math.sqrt(max(0.0, variance))
    return elo, elo - margin, elo + margin


def _comparable(names: Sequence[str], played: Sequence[Outcome]) -> tuple[list[list[str]], set[str]]:
    """Groups that are connected by games, and the agents of those that are not connected by wins in both directions."""
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for outcome in played:
        seats = list(zip(outcome.key.seats, outcome.ranks, strict=True))
        for name, rank in seats:
            beaten[name].update(other for other, theirs in seats if theirs >= rank)
    met = {name: set(others) for name, others in beaten.items()}
    for name, others in beaten.items():
        for other in others:
            met[other].add(name)
    groups = sorted(components(names, met), key=len, reverse=True)
    firm = {frozenset(group) for group in components(names, beaten)}
    return groups, {name for group in groups if frozenset(group) not in firm for name in group}
