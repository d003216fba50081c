"""Knockout: who loses a match is out, until one is left. The order in which agents are listed is their seeding.

Tables of two make the usual bracket: the best seeds meet last, and have a bye in the first round if there are not enough
agents to fill it. Larger tables are groups of which the best go on; they are drawn anew for each round, best seeds with
worst, after a first round that brings the number down to one that fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from arbiter.contest.scheduled import Played
from arbiter.contest.schedules.base import SEEDS_OF_A_ROUND, Position, Stage
from arbiter.contest.schedules.match import Course, Match, MatchSchedule
from arbiter.contest.schedules.seating import snake
from arbiter.errors import UserError, out_of_range

_NAMES = {2: "final", 4: "semi-final", 8: "quarter-final"}


@dataclass(frozen=True, slots=True)
class Round:
    """A round, as far as it has come."""

    name: str
    courses: list[Course]
    out: list[str]
    """Those whose place it has decided."""
    place: int
    """The best place among them."""
    shared: bool = True
    """They all have that place; otherwise they are in order."""

    @property
    def decided(self) -> bool:
        return all(course.decided for course in self.courses)

    @property
    def stage(self) -> Stage:
        """Seed by seed over all matches. One that is ahead of the others waits for them, so that the order of the games does
        not depend on which of them were played before an interruption."""
        open_ones = [len(course.games) for course in self.courses if not course.decided]
        longest = min(open_ones, default=max(len(course.games) for course in self.courses))
        sets = [course.games[at] for at in range(longest) for course in self.courses if at < len(course.games)]
        return Stage(self.name, [key for keys in sets for key in keys])


class Knockout(MatchSchedule, frozen=True, kw_only=True, tag="knockout"):
    """Matches that the better ones survive."""

    advance: int | None = None
    """How many of a table of more than two go on; half of them if left out."""
    third_place: bool = False
    """Whether the losers of the semi-finals play for it. They share it otherwise."""

    agents_may_leave: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.third_place and self.seats > 2:
            raise UserError(f"third_place: at a table of {self.seats} the final decides it; leave it out")
        if not 1 <= self.going_on < self.seats:
            raise out_of_range("advance", self.advance, 1, self.seats - 1)

    @property
    def going_on(self) -> int:
        """How many of a table go on."""
        return self.seats // 2 if self.advance is None else self.advance

    def total(self, agents: Sequence[str], played: Played) -> int:
        """Matches that are decided as they went, the others at full length."""
        courses = [course for a_round in self._rounds(agents, played) for course in a_round.courses if course.decided]
        matches = int(self.third_place and len(agents) > 3) + 1
        left = len(agents)
        while left > self.seats:
            drops = dropping_out(left, self.seats, self.going_on)
            matches, left = matches + len(drops), left - sum(drops)
        so_far = sum(len(keys) for course in courses for keys in course.games)
        return so_far + (matches - len(courses)) * self.most_seeds * self.seatings

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        self.check(agents)
        for a_round in self._rounds(agents, played):
            yield a_round.stage

    def final_order(self, agents: Sequence[str], played: Played) -> list[Position]:
        """By the round in which they were knocked out; the final and the match for third place in order."""
        positions = {agent: Position(agent=agent, place=1, note="still in") for agent in agents}
        for a_round in self._rounds(agents, played):
            for index, agent in enumerate(a_round.out):
                place = a_round.place + (0 if a_round.shared else index)
                note = "winner" if place == 1 else a_round.name
                positions[agent] = Position(agent=agent, place=place, note=note)
        return sorted(positions.values(), key=lambda position: position.place)

    def _rounds(self, agents: Sequence[str], played: Played) -> Iterator[Round]:
        """Up to the first that is not decided."""
        for a_round in (self._bracket if self.seats == 2 else self._groups)(agents, played):
            yield a_round
            if not a_round.decided:
                return

    def _bracket(self, agents: Sequence[str], played: Played) -> Iterator[Round]:
        slots: list[str | None] = [agents[seed] if seed < len(agents) else None for seed in bracket(len(agents))]
        number, losers = 0, list[str]()
        while len(slots) > 1:
            name = _NAMES.get(len(slots), f"round of {len(slots)}")
            if name == "final" and self.third_place and len(losers) == 2:
                match = self._match(agents, losers, (1,), "third place", number)
                yield self._round([match], played, place=3)
            ties = list(zip(slots[::2], slots[1::2], strict=True))
            matches = [self._match(agents, [*filter(None, tie)], (1,), name, number) for tie in ties if None not in tie]
            a_round = self._round(matches, played, place=1 if name == "final" else len(slots) // 2 + 1)
            yield a_round
            losers = a_round.out
            slots = [next((agent for agent in tie if agent and agent not in losers), None) for tie in ties]
            number += 1

    def _groups(self, agents: Sequence[str], played: Played) -> Iterator[Round]:
        left, number = list(agents), 0
        while len(left) > self.seats:
            drops = dropping_out(len(left), self.seats, self.going_on)
            groups = snake(left[-len(drops) * self.seats :], len(drops))
            matches = [
                self._match(agents, group, (self.seats - drop,), f"round {number + 1}", number)
                for group, drop in zip(groups, drops, strict=True)
            ]
            a_round = self._round(matches, played, place=len(left) - sum(drops) + 1)
            yield a_round
            left = [agent for agent in left if agent not in a_round.out]
            number += 1
        final = self._match(agents, left, tuple(range(1, self.seats)), "final", number)
        yield self._round([final], played, place=1)

    def _match(
        self, agents: Sequence[str], entrants: Sequence[str], cuts: tuple[int, ...], name: str, number: int
    ) -> Match:
        seeded = tuple(sorted(entrants, key=agents.index))
        return Match(seeded, cuts, name, self.seed + number * SEEDS_OF_A_ROUND)

    def _round(self, matches: Sequence[Match], played: Played, place: int) -> Round:
        courses = [self.follow(match, played) for match in matches]
        name = matches[0].stage
        ranks_all = name in ("final", "third place")
        out = [
            agent
            for match, course in zip(matches, courses, strict=True)
            if course.decided
            for agent in (course.order if ranks_all else course.order[match.cuts[0] :])
        ]
        return Round(name, courses, out, place, shared=not ranks_all)


def bracket(count: int) -> list[int]:
    """Seeds from 0 in the order of the bracket, filled up to a power of two: neighbours meet, and so do the winners
    of neighbours. In every round the best meets the worst that can be left."""
    order = [0]
    while len(order) < count:
        order = [seed for better in order for seed in (better, 2 * len(order) - 1 - better)]
    return order


def dropping_out(count: int, seats: int, advance: int) -> list[int]:
    """How many of each group drop out in a round of so many agents. The round brings them down to the next number from
    which all rounds are full, or as near to it as there are tables."""
    target = seats
    while target % advance == 0 and target // advance * seats < count:
        target = target // advance * seats
    drop = seats - advance
    groups = min(ceil((count - target) / drop), count // seats)
    last = min(drop, count - target - (groups - 1) * drop)
    return [drop] * (groups - 1) + [last]
