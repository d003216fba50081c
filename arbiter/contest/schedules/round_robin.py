"""Round robin: every table that can be made of the agents. With one seat, everyone plays every deal alone."""

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
"""More than anybody means to play, and about what fits into memory."""


class RoundRobin(FairSchedule, frozen=True, kw_only=True, tag="round_robin"):
    """All agents against all."""

    games: int | None = None
    """Each table plays so many: a multiple of its seatings. One seed if left out."""

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
    """Raise UserError where a contest of all tables has got out of hand."""
    if games > MOST_GAMES:
        raise UserError(f"all tables of these agents are {games} games: choose a swiss, a ladder or fewer agents")
