"""Matchmaking for a ladder: opponents of similar strength for the agents with the fewest games."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping
from heapq import nsmallest

from arbiter.contest.schedules.seating import Table, table_of

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
