"""The score sheet of a Swiss contest: the points of every round, and which agents have met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import fsum
from statistics import fmean

from arbiter.contest.schedules.base import FinalPlace
from arbiter.contest.schedules.seating import Table, table_of
from arbiter.game import ranks_from_scores


@dataclass(frozen=True)
class SwissRound:
    """The tables of a round, and the points of its agents."""

    tables: Sequence[Table]
    points: Mapping[str, float]

    @cached_property
    def table(self) -> dict[str, Table]:
        """The table of every agent."""
        return {agent: table for table in self.tables for agent in table}


@dataclass(frozen=True)
class ScoreSheet:
    """The rounds so far, the points for a bye, and how many rounds were over when an agent came late."""

    rounds: Sequence[SwissRound]
    bye: float
    missed: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def met(self) -> Counter[Table]:
        """How often each pair of agents, as a table of two, has met."""
        return Counter(
            pair for a_round in self.rounds for table in a_round.tables for pair in combinations(table_of(table), 2)
        )

    @cached_property
    def seated(self) -> set[str]:
        """All agents that have played."""
        return {agent for a_round in self.rounds for agent in a_round.table}

    def byes(self, agent: str) -> list[int]:
        """Return the rounds, from 1, in which an agent had a bye. No agent gets two byes before its first game, so earlier rounds that
        it missed were before it joined."""
        seated = (number for number, a_round in enumerate(self.rounds) if agent in a_round.table)
        first = next(seated, len(self.rounds))
        rounds = list(enumerate(self.rounds, 1))[max(first - 1, 0, self.missed.get(agent, 0)) :]
        return [number for number, a_round in rounds if agent not in a_round.table]

    def points(self, agent: str) -> float:
        """Return the points of an agent over all rounds, byes included."""
        return round(self._gained(agent) + self.bye * len(self.byes(agent)), 9)

    def positions(self, agents: Sequence[str]) -> list[FinalPlace]:
        """Rank by points, then Buchholz (the sum of the opponents' points; at larger tables of their mean), then
        Sonneborn-Berger (the same, weighted with the points of the round). A bye counts as meeting oneself."""
        points = {agent: self._gained(agent) for agent in self.seated}
        points |= {agent: self.points(agent) for agent in agents}
        figures = {agent: self._figures(agent, points) for agent in agents}
        ordered = sorted(agents, key=lambda agent: figures[agent], reverse=True)
        places = ranks_from_scores([figures[agent] for agent in ordered])
        names = ("points", "buchholz", "sonneborn-berger")
        return [
            FinalPlace(
                agent=agent, place=place, figures=dict(zip(names, figures[agent], strict=True)), note=self._note(agent)
            )
            for agent, place in zip(ordered, places, strict=True)
        ]

    def _note(self, agent: str) -> str:
        """``bye in round 1``: the points for it are in no game."""
        rounds = " and ".join(map(str, self.byes(agent)))
        return f"bye in round {rounds}" if rounds else ""

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
