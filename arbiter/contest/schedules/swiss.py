"""Swiss system: a given number of rounds in which agents meet opponents with similar results.

An agent's points in a round are its mean points per game there. Tables of two are paired within groups of equal points,
upper half against lower half, without repeating a pairing while that can be avoided; the bye goes to the lowest agent
that has not had one. Larger tables are filled in the order of the standings. The first round is drawn in the order of the
list. Agents that join late play from the next round on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import ClassVar

import msgspec

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.base import SEEDS_OF_A_ROUND, FinalPlace, Stage, at_least
from arbiter.contest.schedules.history import by_round, playable, tables_of
from arbiter.contest.schedules.pairing import pair_off
from arbiter.contest.schedules.points import points_by_agent
from arbiter.contest.schedules.score_sheet import ScoreSheet, SwissRound
from arbiter.contest.schedules.seating import FairSchedule, Table, table_of
from arbiter.errors import FieldError, UserError, out_of_range, unknown


class Swiss(FairSchedule, frozen=True, kw_only=True, tag="swiss"):
    """Rounds between agents with similar results."""

    summary: ClassVar[str] = "agents with similar results meet"
    rounds: int = 5
    games: int | None = None
    """Games per table and round, a multiple of its seatings; by default one seed in all seatings."""
    bye: float = 1.0
    """Points for a round in which an agent sits out."""
    late: Mapping[str, str] = {}
    """Agents that came late: by agent, the round from which it plays."""

    seeds_per_round: ClassVar[int | None] = SEEDS_OF_A_ROUND

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("rounds", self.rounds, 1)
        self.seeds_for(self.games)
        if not 0 <= self.bye <= 1:
            raise FieldError(out_of_range("bye", self.bye, 0, 1, float), "bye")

    def check(self, agents: Sequence[str]) -> None:
        super().check(agents)
        for first in self.late.values():
            if first not in self._names:
                raise unknown("round", first, self._names, where="late")

    @property
    def _names(self) -> list[str]:
        return [f"round {number}" for number in range(1, self.rounds + 1)]

    def admitting(self, agent: str, begun: Collection[str]) -> Swiss:
        first = next((name for name in self._names if name not in begun), None)
        if first is None:
            raise UserError(f"the last round has begun: {agent!r} can only play games out of competition")
        late = {**self.late, agent: first} if begun else self.late
        return msgspec.structs.replace(self, late=late)

    def total(self, agents: Sequence[str], played: Played) -> int:
        stages = self.stages(agents, played)
        each = len(agents) // self.seats * self.seatings * self.seeds_for(self.games)
        return sum(len(stage.games) for stage in stages) + (self.rounds - len(stages)) * each

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        for stage, _ in self._rounds(agents, played):
            yield stage

    def final_order(self, agents: Sequence[str], played: Played) -> list[FinalPlace]:
        """Rank by points, then by the opponents' points (Buchholz), then by Sonneborn-Berger. A void table is a bye."""
        rounds: list[SwissRound] = []
        for stage, a_round in self._rounds(agents, played):
            void = {table_of(game.seats) for game in stage.games if game in played and played[game].annulled}
            tables = [table for table in a_round.tables if table not in void]
            seated = {agent for table in tables for agent in table}
            points = {agent: value for agent, value in a_round.points.items() if agent in seated}
            rounds.append(SwissRound(tables, points))
            if not stage.is_finished(played):
                break
        return self._sheet(rounds).positions(agents)

    def _rounds(self, agents: Sequence[str], played: Played) -> Iterator[tuple[Stage, SwissRound]]:
        started = by_round(played, "round")
        sheet = self._sheet([])
        for number, name in enumerate(self._names, 1):
            first = self.seed + (number - 1) * SEEDS_OF_A_ROUND
            there = [agent for agent in agents if self.late.get(agent) not in self._names[number:]]
            tables = self._tables(number, there, sheet, started)
            seeds = range(first, first + self.seeds_for(self.games))
            games = playable(self.games_of(tables, seeds, name), agents, played)
            points = points_by_agent((played[game] for game in games if game in played), self.scoring)
            a_round = SwissRound(tables, {agent: fmean(values) for agent, values in points.items()})
            yield Stage(name, games), a_round
            sheet = self._sheet([*sheet.rounds, a_round])

    def _sheet(self, rounds: Sequence[SwissRound]) -> ScoreSheet:
        missed = {agent: self._names.index(first) for agent, first in self.late.items() if first in self._names}
        return ScoreSheet(rounds, self.bye, missed)

    def _tables(
        self, number: int, agents: Sequence[str], sheet: ScoreSheet, started: Mapping[int, Iterable[ScheduledGame]]
    ) -> list[Table]:
        """Return the tables of a round as they were drawn, the best agents' first. If agents have joined or left since,
        tables that have played games are kept, and in the current round the others are redrawn."""
        ordered = sorted(agents, key=sheet.points, reverse=True)
        there = tables_of(started.get(number, ()))
        seated = {agent for table in there for agent in table}
        waiting = [agent for agent in ordered if agent not in seated]
        expected = [agent for agent in waiting if number == 1 or agent in sheet.seated]
        if number == 2:  # an agent that had a bye in the first round has not been seated yet, but is not new
            byes = self.seats - 1 - len(seated - sheet.seated)
            expected += [agent for agent in waiting if agent not in sheet.seated][: max(0, byes)]
        if not there or len(expected) >= self.seats:
            drawn = self._draw(ordered, sheet)
            if set(there) <= set(drawn):
                there = drawn
            elif number == max(started):
                there += self._draw(waiting, sheet)
        rank = {agent: index for index, agent in enumerate(ordered)}
        return sorted(there, key=lambda table: (min(rank.get(agent, len(rank)) for agent in table), table))

    def _draw(self, ordered: Sequence[str], sheet: ScoreSheet) -> list[Table]:
        return draw_pairs(ordered, sheet) if self.seats == 2 else draw_tables(ordered, sheet, self.seats)


def draw_pairs(ordered: Sequence[str], sheet: ScoreSheet) -> list[Table]:
    """Return the pairs of the next round; agents are in the order of the standings."""
    points = [sheet.points(agent) for agent in ordered]
    byes = [len(sheet.byes(agent)) for agent in ordered]
    met = [[sheet.met[table_of((one, other))] for other in ordered] for one in ordered]
    everyone = range(len(ordered))
    least = min((met[one][other] for one in everyone for other in everyone if one != other), default=0)
    fresh = [{other for other in everyone if other != one and met[one][other] == least} for one in everyone]
    bye_seat = len(ordered)
    order = list(everyone)
    if len(ordered) % 2:
        # The bye takes part like an agent, and is the first to choose.
        order.insert(0, bye_seat)
        fresh.append({one for one in everyone if byes[one] == min(byes)})
        for one in fresh[bye_seat]:
            fresh[one].add(bye_seat)

    def prefer(one: int, rest: Sequence[int]) -> list[int]:
        if one == bye_seat:
            return sorted(rest, key=lambda other: (byes[other], -other))
        equals = sum(points[other] == points[one] for other in rest)
        half = max((equals + 1) // 2 - 1, 0)
        fold = [*rest[half:equals], *reversed(rest[:half]), *rest[equals:]]
        return sorted(fold, key=lambda other: met[one][other])

    pairs = pair_off(order, fresh, prefer)
    return [table_of((ordered[one], ordered[other])) for one, other in pairs if one != bye_seat]


def draw_tables(ordered: Sequence[str], sheet: ScoreSheet, seats: int) -> list[Table]:
    """Return the tables of more than two for the next round; agents are in the order of the standings."""
    spare = len(ordered) % seats
    from_below = ordered[::-1]
    out = set(sorted(from_below, key=lambda agent: len(sheet.byes(agent)))[:spare])
    rest = [agent for agent in ordered if agent not in out]
    count = len(rest) // seats
    if not sheet.rounds:
        return [table_of(rest[index::count]) for index in range(count)]
    tables: list[Table] = []
    while rest:
        table = [rest.pop(0)]
        while len(table) < seats:
            table.append(_least_met(rest[: 2 * seats], table, sheet))
            rest.remove(table[-1])
        tables.append(table_of(table))
    return tables


def _least_met(near: Sequence[str], table: Sequence[str], sheet: ScoreSheet) -> str:
    """Return the agent that has met the agents of a table least often, the first of several."""
    return min(near, key=lambda agent: sum(sheet.met[table_of((agent, other))] for other in table))
