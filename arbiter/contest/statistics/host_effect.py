"""Whether the results of a contest on several machines depend on the machine.

Deals are the independent observations, and only deals of the same agents are compared. For such a group, the mean points of
an agent are compared between hosts, as in an analysis of variance: the sum over hosts of n·(mean − overall mean)², divided by
the variance of the group. If hosts make no difference, every assignment of deals to hosts is equally likely; then this is
close to chi-squared with one degree of freedom less than there are hosts, and sums over groups add up. A host with few deals
of a group is left out of it, because the approximation is poor there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics.pairs import by_deal
from arbiter.contest.statistics.wording import percent
from arbiter.records import scoring as rules
from arbiter.records.scoring import Scoring

FEWEST_DEALS = 8
"""Deals of the same agents that a host must have played to be compared."""
SIGNIFICANT = 0.01

Group = Mapping[str, Sequence[float]]
"""Points of an agent in deals of the same agents, by host."""


class HostEffect(msgspec.Struct, frozen=True):
    """How the results of one agent differ between hosts."""

    agent: str
    p_value: float
    """The chance of a difference at least this large if hosts make none, corrected for the number of agents."""
    deals: int
    scores: Mapping[str, float]
    """Points per game by host."""


def host_effects(outcomes: Iterable[GameSummary], scoring: Scoring = "places") -> list[HostEffect]:
    """Test every agent; those with too few deals, or on one host only, are left out."""
    groups: dict[str, dict[tuple[str, ...], dict[str, list[float]]]] = {}
    for (agents, _), games in by_deal(outcome for outcome in outcomes if outcome.host).items():
        hosts = {outcome.host for outcome in games}
        if len(hosts) > 1:  # a deal that was split says nothing about either host
            continue
        for agent in set(agents):
            mean = sum(_points(outcome, agent, scoring) for outcome in games) / len(games)
            groups.setdefault(agent, {}).setdefault(agents, {}).setdefault(min(hosts), []).append(mean)
    tested = {agent: found for agent, own in groups.items() if (found := _test(list(own.values())))[1]}
    # The points of two agents mirror each other, so two agents make one test.
    tests = max(1, len(tested) - 1)
    return [
        HostEffect(agent, min(1.0, tests * chi_squared_tail(statistic, freedom)), deals, scores)
        for agent, (statistic, freedom, deals, scores) in sorted(tested.items())
    ]


def host_notes(outcomes: Iterable[GameSummary], scoring: Scoring = "places") -> list[str]:
    """Say which results differ by host more than chance allows; nothing if none do."""
    found = [effect for effect in host_effects(outcomes, scoring) if effect.p_value < SIGNIFICANT]
    notes: list[str] = []
    for effect in sorted(found, key=lambda one: (one.p_value, one.agent))[:3]:
        scores = ", ".join(f"{percent(score)} on {host}" for host, score in sorted(effect.scores.items())[:8])
        chance = "less than 0.01 %" if effect.p_value < 1e-4 else percent(effect.p_value, 2)
        notes.append(
            f"results differ by host more than chance allows: {effect.agent} scores {scores} ({effect.deals} deals; if hosts "
            f"made no difference, one this large would come up with a probability of {chance})"
        )
    return notes


def _points(outcome: GameSummary, agent: str, scoring: Scoring) -> float:
    own = [rules.points(outcome.ranks, seat, scoring) for seat, name in enumerate(outcome.game.seats) if name == agent]
    return sum(own) / len(own)


def _test(groups: Sequence[Group]) -> tuple[float, int, int, dict[str, float]]:
    """Return the statistic, its degrees of freedom, the number of deals, and the points per game by host."""
    statistic, freedom = 0.0, 0
    all_points: dict[str, list[float]] = {}
    for group in groups:
        compared = {host: points for host, points in group.items() if len(points) >= FEWEST_DEALS}
        together = [one for points in compared.values() for one in points]
        if len(compared) < 2:
            continue
        mean = sum(together) / len(together)
        variance = sum((one - mean) ** 2 for one in together) / (len(together) - 1)
        for host, points in compared.items():
            all_points.setdefault(host, []).extend(points)
        if variance > 0:
            statistic += sum(len(own) * (sum(own) / len(own) - mean) ** 2 for own in compared.values()) / variance
            freedom += len(compared) - 1
    scores = {host: sum(points) / len(points) for host, points in all_points.items()}
    return statistic, freedom, sum(map(len, all_points.values())), scores


def chi_squared_tail(statistic: float, freedom: int) -> float:
    """Return the probability of a value of at least this in a chi-squared distribution, whose cube root is nearly normal (Wilson
    and Hilferty)."""
    spread = 2 / (9 * freedom)
    return 1 - NormalDist(1 - spread, math.sqrt(spread)).cdf((statistic / freedom) ** (1 / 3))
