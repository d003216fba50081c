"""The interface of a schedule: what to play next follows from what has been played, and from nothing else.

A kind of contest is a struct of its parameters with one generator, :meth:`Schedule.unfold`. It yields the contest stage by
stage and is advanced past a stage only when all games of that stage have been played, so the code after a ``yield`` may
read their outcomes. Everything else is derived from it. The same agents and outcomes always give the same games, in
whatever order the games were played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import ClassVar

import msgspec

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.errors import FieldError, UserError, out_of_range
from arbiter.records.scoring import Scoring

MOST_SEATS = 4
SEEDS_OF_A_ROUND = 1000
"""Distance between the first seeds of consecutive rounds. Games can be added to a round without reusing a seed of the
next one."""
BY_LOT = "by lot"
"""Why an agent is ahead of another, if nothing else separates them."""


class Stage(msgspec.Struct, frozen=True):
    """A round, or any other set of games that must be finished before the next set is known."""

    name: str
    games: Sequence[ScheduledGame]
    """In the order in which they are numbered. In matches that stop early, only the games known so far."""

    def is_finished(self, played: Played) -> bool:
        """Return whether all its games have been played."""
        return all(game in played for game in self.games)


class FinalPlace(msgspec.Struct, frozen=True, kw_only=True):
    """The place of an agent, in kinds of contest that decide places by rules of their own."""

    agent: str
    place: int
    """From 1; tied agents share a place."""
    figures: Mapping[str, float] = {}
    """The figures that it is ranked by, the most important first."""
    note: str = ""
    """Its result in a word or two, such as ``semi-final``."""


class BracketEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One agent in one stage of an elimination."""

    agent: str
    place: int | None = None
    """At its table; None before the games of the stage have been played."""
    points: float | None = None
    """What the place follows from: points of the season, or opponents beaten."""
    goes_to: str = ""
    """The stage it goes on to; empty if it is out, or if that is not known yet."""
    why: str = ""
    """Why it went on or not, where the points do not say it, such as :data:`BY_LOT`."""


class BracketStage(msgspec.Struct, frozen=True, kw_only=True):
    """One stage of an elimination."""

    name: str
    tables: list[list[BracketEntry]]
    """Agents of every table, best first. An agent alone at a table has a bye."""


class Schedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """A kind of contest with its parameters."""

    seats: int = 2
    """Agents per table."""
    seed: int = 1
    """Seed of the first deal; the others follow from it."""
    scoring: Scoring = "places"
    """How ranks become points, in the schedule and in everything that is reported about the contest."""

    summary: ClassVar[str] = ""
    """A few words for the list of kinds in ``arbiter tournament --help``."""
    fewest_seats: ClassVar[int] = 2
    agents_may_leave: ClassVar[bool] = True
    """Whether agents may join and leave while the contest runs. If so, an agent that fails every game is set aside;
    otherwise it stays in the list and loses."""

    absent_play: ClassVar[bool] = False
    """Whether an agent that does not build keeps its place and loses its moves; otherwise it does not take part."""

    def __post_init__(self) -> None:
        if not self.fewest_seats <= self.seats <= MOST_SEATS:
            raise FieldError(out_of_range("seats", self.seats, self.fewest_seats, MOST_SEATS), "seats")
        at_least("seed", self.seed, 0)

    @property
    def kind(self) -> str:
        """The name of this kind in match files."""
        return str(self.__struct_config__.tag)

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        """Yield the contest stage by stage. The caller advances only after all games of a stage have been played."""
        raise NotImplementedError

    def total(self, agents: Sequence[str], played: Played) -> int | None:
        """Return the expected total number of games; None if the contest has no end."""
        raise NotImplementedError

    def final_order(self, agents: Sequence[str], played: Played) -> list[FinalPlace] | None:
        """Return the places as they are now; None if places are decided by score."""
        return None

    def bracket(self, agents: Sequence[str], played: Played) -> list[BracketStage]:
        """Return who met whom and who went on, stage by stage, as far as it is known; empty if nobody is eliminated."""
        return []

    def check(self, agents: Sequence[str]) -> None:
        """Raise UserError if these agents cannot start such a contest. Agents may leave later."""
        for index, agent in enumerate(agents):
            if agent in agents[:index]:
                raise UserError(f"the agent {agent!r} is listed twice: rename one of the two")
        if len(agents) < self.seats:
            raise UserError(f"a table of {self.seats} needs at least {self.seats} agents, and there are {len(agents)}")

    def admitting(self, agent: str, begun: Collection[str]) -> Schedule:
        """Return the schedule for one more agent, which comes when stages of these names have begun. Raises UserError."""
        if begun and not self.agents_may_leave:
            raise UserError(
                f"a {self.kind} is drawn before its first game: {agent!r} can be added as long as no game has been "
                "created; end the games that have been, or let it play games out of competition"
            )
        return self

    def next_games(self, agents: Sequence[str], played: Played) -> list[ScheduledGame]:
        """Return the games to play now, in order: those missing from the first unfinished stage. Empty at the end."""
        for stage in self.unfold(agents, played):
            if missing := [game for game in stage.games if game not in played]:
                return missing
        return []

    def stages(self, agents: Sequence[str], played: Played) -> list[Stage]:
        """Return the stages known so far: the finished ones and the current one."""
        known: list[Stage] = []
        for stage in self.unfold(agents, played):
            known.append(stage)
            if not stage.is_finished(played):
                break
        return known


def at_least(name: str, value: int, least: int) -> None:
    """Raise FieldError if a parameter is too small."""
    if value < least:
        raise FieldError(out_of_range(name, value, least), name)
