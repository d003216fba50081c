"""Round robin: every table that can be formed with the agents. With one seat, every agent plays every seed alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import ClassVar

from arbiter.contest.scheduled import Played
from arbiter.contest.schedules.base import Stage
from arbiter.contest.schedules.history import left_behind
from arbiter.contest.schedules.seating import FairSchedule, table_of
from arbiter.contest.schedules.tables import all_tables
from arbiter.errors import UserError

MOST_GAMES = 1_000_000
"""About what fits into memory; more is surely a mistake."""


class RoundRobin(FairSchedule, frozen=True, kw_only=True, tag="round_robin"):
    """Every agent against every other."""

    summary: ClassVar[str] = "all against all"
    games: int | None = None
    """Games per table, a multiple of its seatings; by default one seed in all seatings."""

    fewest_seats: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.seeds_for(self.games)

    def check(self, agents: Sequence[str]) -> None:
        super().check(agents)
        refuse_too_many(self._count(agents))

    def total(self, agents: Sequence[str], played: Played) -> int:
        return self._count(agents) + left_behind(agents, played)

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        refuse_too_many(self._count(agents))
        rounds = [
            [table_of(agents[index] for index in table) for table in tables]
            for tables in all_tables(len(agents), self.seats)
        ]
        seeds = range(self.seed, self.seed + self.seeds_for(self.games))
        yield Stage("", [game for seed in seeds for tables in rounds for game in self.games_of(tables, [seed])])

    def _count(self, agents: Sequence[str]) -> int:
        return comb(len(agents), self.seats) * self.seatings * self.seeds_for(self.games)


def refuse_too_many(games: int) -> None:
    """Raise UserError if playing every table would take too many games."""
    if games > MOST_GAMES:
        raise UserError(
            f"playing all tables of these agents takes {games} games: choose swiss, ladder, fewer games or fewer agents"
        )
