"""Maximum-likelihood ratings of any number of agents, from games with any number of seats, in the Plackett-Luce model.

Every agent has a worth. Its probability of coming first is its share of the total worth at the table, and so on among
the remaining agents. A ratio of worths of 10 to 1 is 400 Elo, so that between two agents the rating difference is that
of the score. For tied ranks see :mod:`arbiter.contest.statistics.likelihood`. The mean of all ratings is 0.

*Intervals.* The games of a deal are one observation, and draws make scores less uncertain than the model assumes. So the
variance is the robust (sandwich) one: the inverse Hessian around the actual scatter of the deals. A few deals that happen
to agree would then look certain; so the model's own variance is added as if it came from four more deals of the most
uncertain kind, which is what Wilson's interval does for a proportion. The addition fades as games come in.

*Undefeated agents* have no finite rating. Where an agent or a group was never beaten by the others, every agent connected
to it gets one draw against an imaginary agent of rating 0, and the model's variance in full; their names are in ``held``.
*Agents that never met*, not even through others, cannot be compared: each group is rated on its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics.bounded_mean import Z95
from arbiter.contest.statistics.elo import ELO_PER_NAT
from arbiter.contest.statistics.likelihood import Likelihood, RankedGame
from arbiter.contest.statistics.matrix import Matrix
from arbiter.contest.statistics.pairs import deal_of


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """The rating of one agent. The interval is infinite, which is null in JSON, if nothing is known."""

    name: str
    games: int
    elo: float
    """Difference from the mean of its group."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    group: int
    """Number of its group. Only ratings of the same group can be compared; 0 is the largest group."""

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Fit(msgspec.Struct, frozen=True):
    """The result of the fit, in natural logarithms of worth."""

    names: Sequence[str]
    games: Sequence[int]
    worth: Sequence[float]
    """Logarithms, with mean 0 in every group."""
    covariance: Matrix
    groups: Sequence[Sequence[int]]
    """Indices of agents that can be compared, largest group first."""
    held: Sequence[int]
    """Indices of agents whose most likely rating is infinite, and of all agents connected to them: each got one imaginary draw."""

    def ratings(self) -> list[Rating]:
        """Return the ratings in Elo, by group, best first."""
        found = [self._rating(index, number) for number, group in enumerate(self.groups) for index in group]
        return sorted(found, key=lambda rating: (rating.group, -round(rating.elo, 6), rating.name))

    def lead(self, one: str, other: str) -> tuple[float, float, float] | None:
        """Return the lead of one agent over another in Elo, with its 95 % interval; None if they cannot be compared."""
        i, j = self.names.index(one), self.names.index(other)
        if not any(i in group and j in group for group in self.groups):
            return None
        variance = self.covariance[i][i] + self.covariance[j][j] - 2 * self.covariance[i][j]
        return _with_interval(self.worth[i] - self.worth[j], variance)

    def _rating(self, index: int, number: int) -> Rating:
        variance = self.covariance[index][index] if len(self.groups[number]) > 1 else math.inf
        elo, low, high = _with_interval(self.worth[index], variance)
        return Rating(name=self.names[index], games=self.games[index], elo=elo, low=low, high=high, group=number)


def fit(outcomes: Iterable[GameSummary], names: Iterable[str] = ()) -> Fit:
    """Fit the worths. Games with one seat, or with an agent in two seats, are ignored."""
    usable = (outcome for outcome in outcomes if len(outcome.game.seats) == len(set(outcome.game.seats)) > 1)
    played = sorted(usable, key=lambda outcome: outcome.game)  # the last digit of a sum depends on its order
    known = sorted({*names, *(name for outcome in played for name in outcome.game.seats)})
    index = {name: place for place, name in enumerate(known)}
    games = [RankedGame(deal_of(one.game), [index[name] for name in one.game.seats], one.ranks) for one in played]
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


def _comparable(names: Sequence[str], played: Sequence[GameSummary]) -> tuple[list[list[str]], set[str]]:
    """Return the groups connected by games, and the agents of those groups that wins do not connect in both directions."""
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for outcome in played:
        seats = list(zip(outcome.game.seats, outcome.ranks, strict=True))
        for name, rank in seats:
            beaten[name].update(other for other, theirs in seats if theirs >= rank)
    met = {name: set(others) for name, others in beaten.items()}
    for name, others in beaten.items():
        for other in others:
            met[other].add(name)
    groups = sorted(components(names, met), key=len, reverse=True)
    connected = {frozenset(group) for group in components(names, beaten)}
    return groups, {name for group in groups if frozenset(group) not in connected for name in group}


def components(nodes: Iterable[str], edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the groups of nodes that can all reach each other along the edges, in the order of ``nodes``."""
    order = list(nodes)
    back: dict[str, list[str]] = {}
    for start, ends in edges.items():
        for end in ends:
            back.setdefault(end, []).append(start)
    groups: list[list[str]] = []
    placed: set[str] = set()
    for node in order:
        if node not in placed:
            both = _reached(node, edges) & _reached(node, back)
            groups.append([other for other in order if other in both])
            placed |= both
    return groups


def _reached(start: str, edges: Mapping[str, Iterable[str]]) -> set[str]:
    found, pending = {start}, [start]
    while pending:
        for end in edges.get(pending.pop(), ()):
            if end not in found:
                found.add(end)
                pending.append(end)
    return found
