"""Who sits down with whom on a ladder: opponents of the same strength for whoever has the fewest games."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping
from heapq import nsmallest

from arbiter.contest.schedules.seating import Table, table_of

NEAR = 0.05
"""One table more than the agent that chooses counts as much as this part of all agents standing between the two."""
FAR = 4
"""So many tables more count as much as any greater number: newcomers meet agents that have long been here."""


class Crowd:
    """Agents of whom the tables of a batch are drawn."""

    def __init__(self, games: dict[str, int], strengths: Mapping[str, float], enough: float, seatings: int) -> None:
        self._games, self._enough, self._seatings = games, enough, seatings
        self._order = sorted(strengths.values())
        by_strength = sorted(strengths, key=lambda agent: (strengths[agent], agent))
        self._rank = {agent: rank for rank, agent in enumerate(by_strength)}
        self._met = {agent: {agent} for agent in strengths}
        """In this batch."""

    def neediest(self, eager: Iterable[str], seats: int) -> str | None:
        """Who has the fewest games, the first of those; None if nobody wants any, or nobody has opponents left."""
        needy = [
            agent
            for agent in eager
            if self._games[agent] < self._enough and len(self._rank) - len(self._met[agent]) >= seats - 1
        ]
        return min(needy, key=lambda agent: self._games[agent], default=None)

    def seat(self, chooser: str, strength: float, seats: int) -> Table:
        """A table of the chooser with those whom somebody of this strength should meet."""
        at = bisect(self._order, strength)
        free = self._rank.keys() - self._met[chooser]
        table = table_of([chooser, *nsmallest(seats - 1, free, key=lambda other: self._distance(chooser, at, other))])
        for agent in table:
            self._games[agent] += self._seatings
            self._met[agent].update(table)
        return table

    def _distance(self, chooser: str, at: int, other: str) -> tuple[bool, float, int]:
        """How unwelcome an opponent is."""
        ahead = min(max(0, self._games[other] - self._games[chooser]) / self._seatings, FAR)
        apart = abs(self._rank[other] - at)
        return self._games[other] >= self._enough, apart + ahead * NEAR * len(self._rank), self._rank[other]
