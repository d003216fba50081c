"""What a schedule is: asked what to play next, it answers from what has been played, and from nothing else.

A kind of contest is a struct of its parameters with one generator, :meth:`Schedule.unfold`. It tells the contest stage
by stage and is only taken past a stage when all games of that stage have been played, so what follows a ``yield`` may
look at their outcomes. Everything else is derived from it. The same agents and outcomes always give the same games,
whoever played them in whatever order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.errors import UserError, out_of_range

MOST_SEATS = 4
SEEDS_OF_A_ROUND = 1000
"""Where rounds have deals of their own, those of the next begin so much further on: more games can be added to every
round, and no deal comes twice."""


class Stage(msgspec.Struct, frozen=True):
    """A round, or whatever else is played through before the next thing is known."""

    name: str
    games: Sequence[ScheduledGame]
    """In the order they are numbered. In a match that stops when it is decided, as far as they are known."""

    def is_finished(self, played: Played) -> bool:
        """Nothing of it is missing."""
        return all(key in played for key in self.games)


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """Where an agent stands, in kinds of contest that decide the places themselves."""

    agent: str
    place: int
    """From 1; agents that nothing separates share it."""
    figures: Mapping[str, float] = {}
    """What it was ranked by, the weightiest first."""
    note: str = ""
    """What became of it, in a word or two."""


class Schedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """A kind of contest with its parameters."""

    seats: int = 2
    """Agents at a table."""
    seed: int = 1
    """Of the first deal; the others follow it."""

    fewest_seats: ClassVar[int] = 2
    agents_may_leave: ClassVar[bool] = True
    """Whether agents may come and go while it runs, so that one that fails every game can be set aside. Where they may
    not, such an agent stays in the list and loses."""

    def __post_init__(self) -> None:
        if not self.fewest_seats <= self.seats <= MOST_SEATS:
            raise out_of_range("seats", self.seats, self.fewest_seats, MOST_SEATS)
        at_least("seed", self.seed, 0)

    @property
    def kind(self) -> str:
        """Its name in match files."""
        return str(self.__struct_config__.tag)

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        """The contest, stage by stage. Whoever drives this goes on only when a stage has been played."""
        raise NotImplementedError

    def total(self, agents: Sequence[str], played: Played) -> int | None:
        """How many games it will have been in the end, as far as can be told now; None if it has no end."""
        raise NotImplementedError

    def final_order(self, agents: Sequence[str], played: Played) -> list[Position] | None:
        """Who is where, as it stands; None where a table by score says it."""
        return None

    def check(self, agents: Sequence[str]) -> None:
        """Raise UserError if there can be no such contest of these agents. For the start: agents may leave later."""
        for index, agent in enumerate(agents):
            if agent in agents[:index]:
                raise UserError(f"the agent {agent!r} is listed twice: give one of the two another name")
        if len(agents) < self.seats:
            raise UserError(f"a table of {self.seats} needs at least {self.seats} agents, and there are {len(agents)}")

    def next_games(self, agents: Sequence[str], played: Played) -> list[ScheduledGame]:
        """What to play now, in order: all that is missing in the first stage that is not finished. Empty at the end."""
        for stage in self.unfold(agents, played):
            if missing := [key for key in stage.games if key not in played]:
                return missing
        return []

    def stages(self, agents: Sequence[str], played: Played) -> list[Stage]:
        """The stages that are known by now: those played, and the one that is being played."""
        known: list[Stage] = []
        for stage in self.unfold(agents, played):
            known.append(stage)
            if not stage.is_finished(played):
                break
        return known


def at_least(name: str, value: int, least: int) -> None:
    """Raise UserError if a parameter is too small."""
    if value < least:
        raise out_of_range(name, value, least)
