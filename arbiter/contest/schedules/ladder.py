"""Ladder: a contest without an end, in which agents may join and leave and meet opponents of similar strength.

Games are drawn in batches. The agent with the fewest games chooses first. For every agent a strength is drawn from the
distribution of its rating, and the nearest opponents are chosen: an agent with an uncertain rating meets all kinds of
opponents, one with a certain rating meets its neighbours. No table occurs twice in a batch. A batch depends only on the
batches before it, so it is the same for any number of workers and after an interruption.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from math import inf
from random import Random
from statistics import NormalDist
from typing import ClassVar

from arbiter.contest.scheduled import GameSummary, Played, ScheduledGame
from arbiter.contest.schedules.base import FinalPlace, Stage, at_least
from arbiter.contest.schedules.history import by_round, playable, tables_of
from arbiter.contest.schedules.rating import glicko
from arbiter.contest.schedules.seating import FairSchedule, Table, table_of

NEAR = 0.05
"""Having played one table more than the choosing agent counts as much as a distance of this share of all agents."""
FAR = 4
"""Cap on that number of tables, so that newcomers also meet long-standing agents."""


class Matchmaker:
    """The agents from which the tables of a batch are drawn."""

    def __init__(self, games: dict[str, int], strengths: Mapping[str, float], enough: float, seatings: int) -> None:
        self._games, self._enough, self._seatings = games, enough, seatings
        self._order = sorted(strengths.values())
        by_strength = sorted(strengths, key=lambda agent: (strengths[agent], agent))
        self._rank = {agent: rank for rank, agent in enumerate(by_strength)}
        self._met = {agent: {agent} for agent in strengths}
        """Agents met in this batch."""

    def neediest(self, eager: Iterable[str], seats: int) -> str | None:
        """Return the agent with the fewest games, the first of several; None if no agent needs games or has opponents left."""
        needy = [
            agent
            for agent in eager
            if self._games[agent] < self._enough and len(self._rank) - len(self._met[agent]) >= seats - 1
        ]
        return min(needy, key=lambda agent: self._games[agent], default=None)

    def seat(self, chooser: str, strength: float, seats: int) -> Table:
        """Return a table of the choosing agent with the opponents closest to this strength."""
        at = bisect(self._order, strength)
        free = self._rank.keys() - self._met[chooser]
        table = table_of([chooser, *nsmallest(seats - 1, free, key=lambda other: self._distance(chooser, at, other))])
        for agent in table:
            self._games[agent] += self._seatings
            self._met[agent].update(table)
        return table

    def _distance(self, chooser: str, at: int, other: str) -> tuple[bool, float, int]:
        """Return the sort key of an opponent; smaller is better."""
        ahead = min(max(0, self._games[other] - self._games[chooser]) / self._seatings, FAR)
        apart = abs(self._rank[other] - at)
        return self._games[other] >= self._enough, apart + ahead * NEAR * len(self._rank), self._rank[other]


class Ladder(FairSchedule, frozen=True, kw_only=True, tag="ladder"):
    """Matchmaking by rating and uncertainty, without an end."""

    summary: ClassVar[str] = "runs without end"
    batch: int = 10
    """Tables drawn at once. Each plays one seed in all seatings."""
    rest_after: int | None = None
    """Games after which an agent rests, unless others need an opponent. When all agents rest, the ladder pauses."""

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("batch", self.batch, 1)
        if self.rest_after is not None:
            at_least("rest_after", self.rest_after, 1)

    def total(self, agents: Sequence[str], played: Played) -> int | None:
        return None

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        batches = by_round(played, "batch")
        last = max(batches, default=0)
        before: dict[ScheduledGame, GameSummary] = {}
        for number, keys in batches.items():
            tables = tables_of(keys)
            if number == last and len(tables) < self.batch:
                drawn = self._draw(number, agents, before)
                tables = drawn if set(tables) <= set(drawn) else tables
            yield self._stage(number, tables, agents, played)
            before |= {key: played[key] for key in keys}
        if tables := self._draw(last + 1, agents, before):
            yield self._stage(last + 1, tables, agents, played)

    def final_order(self, agents: Sequence[str], played: Played) -> list[FinalPlace]:
        """Rank by the current ratings."""
        batches = by_round(played, "batch").values()
        ordered = {key: played[key] for keys in batches for key in keys if not played[key].annulled}
        games = Counter(agent for key in ordered for agent in key.seats)
        ratings = glicko(agents, ordered)
        return [
            FinalPlace(
                agent=agent,
                place=1 + sum(ratings[other][0] > ratings[agent][0] for other in agents),
                figures={"rating": ratings[agent][0], "uncertainty": ratings[agent][1], "games": games[agent]},
            )
            for agent in sorted(agents, key=lambda agent: ratings[agent][0], reverse=True)
        ]

    def _stage(self, number: int, tables: Sequence[Table], agents: Sequence[str], played: Played) -> Stage:
        name = f"batch {number}"
        return Stage(name, playable(self.games_of(sorted(tables), [self.seed + number - 1], name), agents, played))

    def _draw(self, number: int, agents: Sequence[str], before: Played) -> list[Table]:
        """The tables of a batch."""
        ratings = glicko(agents, before)
        lots = {agent: Random(f"{self.seed} {number} {agent}") for agent in agents}
        matchmaker = Matchmaker(
            games={**dict.fromkeys(agents, 0), **Counter(agent for key in before for agent in key.seats)},
            strengths={agent: _draw_from(*ratings[agent], lots[agent]) for agent in agents},
            enough=inf if self.rest_after is None else self.rest_after,
            seatings=self.seatings,
        )
        eager = sorted(agents, key=lambda agent: (-ratings[agent][1], lots[agent].random()))
        tables: list[Table] = []
        while len(tables) < self.batch and (chooser := matchmaker.neediest(eager, self.seats)):
            tables.append(matchmaker.seat(chooser, _draw_from(*ratings[chooser], lots[chooser]), self.seats))
        return tables


def _draw_from(mean: float, uncertainty: float, lots: Random) -> float:
    """Draw a strength from the distribution of a rating. ``Random.gauss`` is not used: only ``random()`` is guaranteed to
    give the same numbers in every version of Python."""
    return NormalDist(mean, max(uncertainty, 1e-9)).inv_cdf(0.001 + 0.998 * lots.random())
