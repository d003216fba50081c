"""Knockout: the losers of a match are eliminated until one agent is left. Agents are seeded in the order of the list.

Tables of two form the usual bracket: the best seeds meet last, and get a bye in the first round if there are not enough
agents to fill it. Larger tables are groups whose best agents advance; groups are redrawn for every round, the best seeds
with the worst, after a first round that brings the number of agents down to one that fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, fsum
from typing import ClassVar

from arbiter.contest.scheduled import Played
from arbiter.contest.schedules.base import SEEDS_OF_A_ROUND, BracketEntry, BracketStage, FinalPlace, Stage
from arbiter.contest.schedules.match import Match, MatchSchedule, MatchState
from arbiter.contest.schedules.points import points_by_agent
from arbiter.contest.schedules.seating import snake_order
from arbiter.errors import FieldError, UserError, out_of_range
from arbiter.records.scoring import Scoring

_NAMES = {2: "final", 4: "semi-final", 8: "quarter-final"}


@dataclass(frozen=True, slots=True)
class KnockoutRound:
    """A round and its state."""

    name: str
    matches: list[MatchState]
    out: list[str]
    """Agents whose place this round has decided."""
    place: int
    """The best place among those."""
    shared: bool = True
    """Whether they all share that place; otherwise they are in order."""

    @property
    def decided(self) -> bool:
        return all(match.decided for match in self.matches)

    @property
    def stage(self) -> Stage:
        """The games of all matches, seed by seed. A match that is ahead of the others waits for them, so that the order of
        the games does not depend on which were played before an interruption."""
        undecided = [len(match.games) for match in self.matches if not match.decided]
        longest = min(undecided, default=max(len(match.games) for match in self.matches))
        sets = [match.games[at] for at in range(longest) for match in self.matches if at < len(match.games)]
        return Stage(self.name, [game for games in sets for game in games])


class Knockout(MatchSchedule, frozen=True, kw_only=True, tag="knockout"):
    """Matches from which the better agents advance."""

    summary: ClassVar[str] = "elimination matches"
    advance: int | None = None
    """How many agents of a table advance; by default half of them, rounded down."""
    third_place: bool = False
    """Whether the losers of the semi-finals play for third place; otherwise they share it."""

    agents_may_leave: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.third_place and self.seats > 2:
            raise UserError(f"third_place: at a table of {self.seats} the final decides third place; leave it out")
        if not 1 <= self.advancing < self.seats:
            raise FieldError(out_of_range("advance", self.advance, 1, self.seats - 1), "advance")

    @property
    def advancing(self) -> int:
        """How many agents of a table advance."""
        return self.seats // 2 if self.advance is None else self.advance

    def total(self, agents: Sequence[str], played: Played) -> int:
        """Count decided matches with the games they took, the others at full length or, if they are tied, longer."""
        begun = [match for a_round in self._rounds(agents, played) for match in a_round.matches]
        matches = int(self.third_place and len(agents) > 3) + 1
        left = len(agents)
        while left > self.seats:
            drops = eliminated_per_group(left, self.seats, self.advancing)
            matches, left = matches + len(drops), left - sum(drops)
        seeds = [len(match.games) if match.decided else max(len(match.games), self.most_seeds) for match in begun]
        return (sum(seeds) + (matches - len(begun)) * self.most_seeds) * self.seatings

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        self.check(agents)
        for a_round in self._rounds(agents, played):
            yield a_round.stage

    def final_order(self, agents: Sequence[str], played: Played) -> list[FinalPlace]:
        """Rank by the round of elimination; the final and the match for third place are ranked in order."""
        positions = {agent: FinalPlace(agent=agent, place=1, note="still in") for agent in agents}
        for a_round in self._rounds(agents, played):
            for index, agent in enumerate(a_round.out):
                place = a_round.place + (0 if a_round.shared else index)
                note = "winner" if place == 1 else a_round.name
                positions[agent] = FinalPlace(agent=agent, place=place, note=note)
        return sorted(positions.values(), key=lambda position: position.place)

    def bracket(self, agents: Sequence[str], played: Played) -> list[BracketStage]:
        """Return every round that is known; in a bracket of two, agents without an opponent are alone at their table."""
        rounds = list(self._rounds(agents, played))
        stages: list[BracketStage] = []
        left = list(agents)
        for number, a_round in enumerate(rounds):
            following = [later.name for later in rounds[number + 1 :] if later.name != "third place"]
            target = following[0] if following else ""
            tables = [_entries(match, a_round, target, played, self.scoring) for match in a_round.matches]
            met = {entry.agent for table in tables for entry in table}
            if a_round.name not in ("final", "third place"):
                byes = [agent for agent in left if agent not in met]
                tables += [[BracketEntry(agent=agent, goes_to=target, why="bye")] for agent in byes]
                left = [agent for agent in left if agent not in a_round.out]
            stages.append(BracketStage(name=a_round.name, tables=tables))
        return stages

    def _rounds(self, agents: Sequence[str], played: Played) -> Iterator[KnockoutRound]:
        """Yield the rounds up to the first one that is not decided."""
        for a_round in (self._bracket if self.seats == 2 else self._groups)(agents, played):
            yield a_round
            if not a_round.decided:
                return

    def _bracket(self, agents: Sequence[str], played: Played) -> Iterator[KnockoutRound]:
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

    def _groups(self, agents: Sequence[str], played: Played) -> Iterator[KnockoutRound]:
        left, number = list(agents), 0
        while len(left) > self.seats:
            drops = eliminated_per_group(len(left), self.seats, self.advancing)
            groups = snake_order(left[-len(drops) * self.seats :], len(drops))
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

    def _round(self, matches: Sequence[Match], played: Played, place: int) -> KnockoutRound:
        states = [self.follow(match, played) for match in matches]
        name = matches[0].stage
        ranks_all = name in ("final", "third place")
        out = [
            agent
            for match, state in zip(matches, states, strict=True)
            if state.decided
            for agent in (state.order if ranks_all else state.order[match.cuts[0] :])
        ]
        return KnockoutRound(name, states, out, place, shared=not ranks_all)


def _entries(
    match: MatchState, a_round: KnockoutRound, target: str, played: Played, scoring: Scoring
) -> list[BracketEntry]:
    """Return the agents of one match, best first, with their points in it."""
    games = [game for games in match.games for game in games]
    found = points_by_agent((played[game] for game in games if game in played), scoring)
    got = {agent: fsum(found.get(agent, ())) for agent in games[0].seats}
    order = match.order if match.decided else sorted(got, key=lambda agent: -got[agent])
    return [
        BracketEntry(
            agent=agent,
            place=place if match.decided else None,
            points=got[agent],
            goes_to=target if match.decided and agent not in a_round.out else "",
            why="tie, by the seeding" if match.decided and list(got.values()).count(got[agent]) > 1 else "",
        )
        for place, agent in enumerate(order, 1)
    ]


def bracket(count: int) -> list[int]:
    """Return seeds from 0 in bracket order, filled up to a power of two: neighbours meet, and then the winners of
    neighbours. In every round the best seed meets the worst seed that can be left."""
    order = [0]
    while len(order) < count:
        order = [seed for better in order for seed in (better, 2 * len(order) - 1 - better)]
    return order


def eliminated_per_group(count: int, seats: int, advance: int) -> list[int]:
    """Return how many agents of each group are eliminated in a round of ``count`` agents. The round brings the number down
    to the next one from which all rounds are full, or as close to it as the number of tables allows."""
    target = seats
    while target % advance == 0 and target // advance * seats < count:
        target = target // advance * seats
    drop = seats - advance
    groups = min(ceil((count - target) / drop), count // seats)
    last = min(drop, count - target - (groups - 1) * drop)
    return [drop] * (groups - 1) + [last]
