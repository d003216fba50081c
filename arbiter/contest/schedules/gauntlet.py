"""Gauntlet: challengers against all other agents, which do not play each other. For a new version against older ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import ClassVar

from arbiter.contest.scheduled import Played
from arbiter.contest.schedules.base import Stage
from arbiter.contest.schedules.history import left_behind
from arbiter.contest.schedules.round_robin import refuse_too_many
from arbiter.contest.schedules.seating import FairSchedule, table_of
from arbiter.contest.schedules.tables import all_tables
from arbiter.errors import FieldError, UserError, unknown


class Gauntlet(FairSchedule, frozen=True, kw_only=True, tag="gauntlet"):
    """Every challenger plays at every table that can be formed with the other agents."""

    summary: ClassVar[str] = "some against all others"
    challengers: tuple[str, ...]
    """Names of the agents that run the gauntlet."""
    games: int | None = None
    """Games per table, a multiple of its seatings; by default one seed in all seatings."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.seeds_for(self.games)
        if not self.challengers:
            raise FieldError("challengers: name at least one of the agents", "challengers")

    def check(self, agents: Sequence[str]) -> None:
        super().check(agents)
        for name in self.challengers:
            if name not in agents:
                raise unknown("agent", name, agents, where="challengers")
        if self._count(agents) == 0:
            others = len(agents) - len(set(self.challengers))
            raise UserError(
                f"a challenger at a table of {self.seats} needs {self.seats - 1} other agents, and there are {others}"
            )
        refuse_too_many(self._count(agents))

    def total(self, agents: Sequence[str], played: Played) -> int:
        return self._count(agents) + left_behind(agents, played)

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        challengers, others = self._parties(agents)
        refuse_too_many(self._count(agents))
        rounds = [
            [table_of([challenger, *(others[index] for index in table)]) for table in tables]
            for tables in all_tables(len(others), self.seats - 1)
            for challenger in challengers
        ]
        seeds = range(self.seed, self.seed + self.seeds_for(self.games))
        yield Stage("", [game for seed in seeds for tables in rounds for game in self.games_of(tables, [seed])])

    def _count(self, agents: Sequence[str]) -> int:
        challengers, others = self._parties(agents)
        tables = len(challengers) * comb(len(others), self.seats - 1)
        return tables * self.seatings * self.seeds_for(self.games)

    def _parties(self, agents: Sequence[str]) -> tuple[list[str], list[str]]:
        challengers = [agent for agent in agents if agent in self.challengers]
        return challengers, [agent for agent in agents if agent not in self.challengers]
