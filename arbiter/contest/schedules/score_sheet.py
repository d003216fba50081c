"""The score sheet of a Swiss contest: what rounds have brought so far, and who met whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import fsum
from statistics import fmean

from arbiter.contest.schedules.base import Position
from arbiter.contest.schedules.seating import Table, table_of


@dataclass(frozen=True)
class Round:
    """A round and what it has brought."""

    tables: Sequence[Table]
    points: Mapping[str, float]

    @cached_property
    def table(self) -> dict[str, Table]:
        """By agent."""
        return {agent: table for table in self.tables for agent in table}


@dataclass(frozen=True)
class ScoreSheet:
    """Rounds, and what a round is worth to an agent that sat out."""

    rounds: Sequence[Round]
    bye: float

    @cached_property
    def met(self) -> Counter[Table]:
        """How often two agents, as a table of two, have sat at the same table."""
        return Counter(
            pair for a_round in self.rounds for table in a_round.tables for pair in combinations(table_of(table), 2)
        )

    @cached_property
    def seated(self) -> set[str]:
        """Everyone who has sat at a table."""
        return {agent for a_round in self.rounds for agent in a_round.table}

    def byes(self, agent: str) -> list[Round]:
        """Rounds it sat out. Nobody does so twice before the first game: whoever missed more came late."""
        seated = (number for number, a_round in enumerate(self.rounds) if agent in a_round.table)
        first = next(seated, len(self.rounds))
        return [a_round for a_round in self.rounds[max(first - 1, 0) :] if agent not in a_round.table]

    def points(self, agent: str) -> float:
        """Of all rounds."""
        return round(self._gained(agent) + self.bye * len(self.byes(agent)), 9)

    def positions(self, agents: Sequence[str]) -> list[Position]:
        """By points, then Buchholz (the points of the opponents met; at larger tables their mean), then
        Sonneborn-Berger (the same, times what the round brought). A bye counts as meeting oneself."""
        points = {agent: self._gained(agent) for agent in self.seated}
        points |= {agent: self.points(agent) for agent in agents}
        figures = {agent: self._figures(agent, points) for agent in agents}
        ordered = sorted(agents, key=lambda agent: figures[agent], reverse=True)
        names = ("points", "buchholz", "sonneborn-berger")
        return [
            Position(
                agent=agent,
                place=1 + sum(other > figures[agent] for other in figures.values()),
                figures=dict(zip(names, figures[agent], strict=True)),
            )
            for agent in ordered
        ]

    def _gained(self, agent: str) -> float:
        return fsum(a_round.points.get(agent, 0.0) for a_round in self.rounds)

    def _figures(self, agent: str, points: Mapping[str, float]) -> tuple[float, float, float]:
        met = [(points[agent], self.bye) for _ in self.byes(agent)]
        for a_round in self.rounds:
            if agent in a_round.table:
                opponents = fmean(points[other] for other in a_round.table[agent] if other != agent)
                met.append((opponents, a_round.points.get(agent, 0.0)))
        buchholz = fsum(strength for strength, _ in met)
        return points[agent], round(buchholz, 9), round(fsum(strength * share for strength, share in met), 9)
