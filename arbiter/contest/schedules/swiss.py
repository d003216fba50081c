"""Swiss: a given number of rounds in which agents meet others that have done as well as they have.

A round gives an agent the mean of its games there: the share of opponents beaten, a tie counting half. Tables of two are
paired within groups of equal points, upper half against lower half; nobody meets anybody again while that can be
avoided; who sits out is the lowest agent that has not yet done so. Larger tables are filled by standing. The first
round goes by the order in which agents are listed. Whoever comes late plays from the next round on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.base import SEEDS_OF_A_ROUND, Position, Stage, at_least
from arbiter.contest.schedules.history import by_round, playable, tables_of
from arbiter.contest.schedules.pairing import pair_off
from arbiter.contest.schedules.points import shares_by_agent
from arbiter.contest.schedules.score_sheet import Round, ScoreSheet
from arbiter.contest.schedules.seating import FairSchedule, Table, table_of
from arbiter.errors import out_of_range


class Swiss(FairSchedule, frozen=True, kw_only=True, tag="swiss"):
    """Opponents of equal standing, round by round."""

    rounds: int = 5
    games: int | None = None
    """Each table plays so many a round: a multiple of its seatings. One seed if left out."""
    bye: float = 1.0
    """Points for a round in which an agent has to sit out."""

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("rounds", self.rounds, 1)
        self.seeds_for(self.games)
        if not 0 <= self.bye <= 1:
            raise out_of_range("bye", self.bye, 0, 1, float)

    def total(self, agents: Sequence[str], played: Played) -> int:
        stages = self.stages(agents, played)
        each = len(agents) // self.seats * self.seatings * self.seeds_for(self.games)
        return sum(len(stage.games) for stage in stages) + (self.rounds - len(stages)) * each

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        for stage, _ in self._rounds(agents, played):
            yield stage

    def final_order(self, agents: Sequence[str], played: Played) -> list[Position]:
        """By points, then by the points of the opponents met (Buchholz), then Sonneborn-Berger."""
        rounds: list[Round] = []
        for stage, a_round in self._rounds(agents, played):
            rounds.append(a_round)
            if not stage.is_finished(played):
                break
        return ScoreSheet(rounds, self.bye).positions(agents)

    def _rounds(self, agents: Sequence[str], played: Played) -> Iterator[tuple[Stage, Round]]:
        started = by_round(played, "round")
        sheet = ScoreSheet([], self.bye)
        for number in range(1, self.rounds + 1):
            name, first = f"round {number}", self.seed + (number - 1) * SEEDS_OF_A_ROUND
            tables = self._tables(number, agents, sheet, started)
            seeds = range(first, first + self.seeds_for(self.games))
            games = playable(self.games_of(tables, seeds, name), agents, played)
            shares = shares_by_agent(played[key] for key in games if key in played)
            a_round = Round(tables, {agent: fmean(values) for agent, values in shares.items()})
            yield Stage(name, games), a_round
            sheet = ScoreSheet([*sheet.rounds, a_round], self.bye)

    def _tables(
        self, number: int, agents: Sequence[str], sheet: ScoreSheet, started: Mapping[int, Iterable[ScheduledGame]]
    ) -> list[Table]:
        """Of a round, the best agents' first. They are as they were drawn. Where agents have come or gone since, tables
        at which games have been played stay, and in the round that is being played the others are drawn anew."""
        ordered = sorted(agents, key=sheet.points, reverse=True)
        there = tables_of(started.get(number, ()))
        seated = {agent for table in there for agent in table}
        waiting = [agent for agent in ordered if agent not in seated]
        expected = [agent for agent in waiting if number == 1 or agent in sheet.seated]
        if number == 2:  # who had to sit out the first round has not sat anywhere, but is no newcomer
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
    """Pairs for the next round, of agents in the order of their standing."""
    points = [sheet.points(agent) for agent in ordered]
    byes = [len(sheet.byes(agent)) for agent in ordered]
    met = [[sheet.met[table_of((one, other))] for other in ordered] for one in ordered]
    everyone = range(len(ordered))
    least = min((met[one][other] for one in everyone for other in everyone if one != other), default=0)
    fresh = [{other for other in everyone if other != one and met[one][other] == least} for one in everyone]
    chair = len(ordered)
    order = list(everyone)
    if len(ordered) % 2:
        # The empty chair takes part like an agent, and is the first to choose.
        order.insert(0, chair)
        fresh.append({one for one in everyone if byes[one] == min(byes)})
        for one in fresh[chair]:
            fresh[one].add(chair)

    def prefer(one: int, rest: Sequence[int]) -> list[int]:
        if one == chair:
            return sorted(rest, key=lambda other: (byes[other], -other))
        equals = sum(points[other] == points[one] for other in rest)
        half = max((equals + 1) // 2 - 1, 0)
        fold = [*rest[half:equals], *reversed(rest[:half]), *rest[equals:]]
        return sorted(fold, key=lambda other: met[one][other])

    pairs = pair_off(order, fresh, prefer)
    return [table_of((ordered[one], ordered[other])) for one, other in pairs if one != chair]


def draw_tables(ordered: Sequence[str], sheet: ScoreSheet, seats: int) -> list[Table]:
    """Tables of more than two for the next round, of agents in the order of their standing."""
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
    """Of those next in standing, the first that has met the fewest of a table."""
    return min(near, key=lambda agent: sum(sheet.met[table_of((agent, other))] for other in table))
