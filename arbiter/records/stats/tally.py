"""Count games for statistics, with memory that hardly grows with the number of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arbiter.records.reader import Record
from arbiter.records.scoring import SeatResult, points, seat_result
from arbiter.records.search.moments import moment_us
from arbiter.records.stats import spread
from arbiter.records.stats.document import AgentStats, Opening, ResultCounts, SeatStats, TableStats
from arbiter.records.stats.spread import date_of
from arbiter.records.summary import GameSummary, summarise

Table = tuple[str, int]
"""A protocol and the number of seats: only games with both in common are counted together."""
MOST_OPENINGS = 100_000
"""The most distinct openings that are counted; if there are more, rare ones are dropped."""


@dataclass(slots=True)
class _OpeningSums:
    """What became of the games with one opening."""

    points: list[float]
    """By seat."""
    first: tuple[int, str]
    """When the first of these games began, in microseconds, and its record."""
    last: tuple[int, str]
    games: int = 0
    turns: int = 0

    def add(self, game: GameSummary, worth: Sequence[float], when: tuple[int, str]) -> None:
        self.games += 1
        self.turns += game.turns
        self.points = [total + own for total, own in zip(self.points, worth, strict=True)]
        self.first, self.last = min(self.first, when), max(self.last, when)


class TableTally:
    """The games of one protocol with the same number of seats."""

    def __init__(self, table: Table, agents: Collection[str]) -> None:
        self._table, self._agents = table, agents
        self._games = 0
        self._first: int | None = None
        self._last: int | None = None
        self._seats = [SeatStats(seat=seat) for seat in range(table[1])]
        self._by_agent: dict[str, AgentStats] = {}
        self._openings: dict[tuple[str, ...], _OpeningSums] = {}
        self._lengths: Counter[int] = Counter()
        self._times: Counter[tuple[int, int]] = Counter()
        self._days: dict[int, tuple[list[int], Counter[str]]] = {}

    def add(self, game: GameSummary, record: Record, opening: int) -> None:
        """Count one game; its first ``opening`` turns are its opening."""
        self._games += 1
        self._lengths[game.turns] += 1
        worth = [points(game.ranks, seat, "places") for seat in range(len(game.seats))]
        for seat, name in enumerate(game.seats):
            ending = seat_result(game.ranks, seat)
            _count(self._seats[seat], ending, worth[seat], game.scores[seat])
            if name not in self._by_agent:
                self._by_agent[name] = AgentStats(agent=name)
            _count(self._by_agent[name], ending, worth[seat], game.scores[seat])
        started_us = moment_us(game.started)
        moves = tuple(line.move for line in record.answers if line.turn <= opening)
        self._open(moves, game, worth, (started_us or 0, game.record))
        if started_us is not None:
            self._date(game, started_us)
        own = {seat for seat, name in enumerate(game.seats) if not self._agents or name in self._agents}
        self._times.update(
            (line.turn, spread.time_step(line.charged_us))
            for line in record.answers
            if line.seat in own and line.wall_us  # otherwise not known: pruned, or imported
        )

    def _open(self, moves: tuple[str, ...], game: GameSummary, worth: list[float], when: tuple[int, str]) -> None:
        """Count the opening."""
        if len(self._openings) >= MOST_OPENINGS and moves not in self._openings:
            kept = sorted(self._openings.items(), key=lambda each: -each[1].games)[: MOST_OPENINGS // 2]
            self._openings = dict(kept)
        sums = self._openings.get(moves)
        if sums is None:
            sums = self._openings[moves] = _OpeningSums([0.0] * len(worth), when, when)
        sums.add(game, worth, when)

    def _date(self, game: GameSummary, started_us: int) -> None:
        self._first = min(started_us, started_us if self._first is None else self._first)
        self._last = max(started_us, started_us if self._last is None else self._last)
        games, kinds = self._days.setdefault(started_us // spread.DAY_US, ([0], Counter()))
        games[0] += 1
        own = (fault.kind for fault in game.faults if not self._agents or game.seats[fault.seat] in self._agents)
        kinds.update(own)

    def close(self, openings: int) -> TableStats:
        """Return the statistics, with at most this many openings."""
        for each in (*self._seats, *self._by_agent.values()):
            each.points /= max(1, each.games)
            each.score /= max(1, each.games)
        ordered = sorted(self._openings.items(), key=lambda each: (-each[1].games, each[0]))
        days, faults = spread.periods(self._days)
        return TableStats(
            protocol=self._table[0],
            seats=self._table[1],
            games=self._games,
            first="" if self._first is None else date_of(self._first),
            last="" if self._last is None else date_of(self._last),
            by_seat=self._seats,
            by_agent=sorted(self._by_agent.values(), key=lambda each: (-each.points, each.agent)),
            openings=[_opening(moves, sums) for moves, sums in ordered[:openings]],
            openings_left_out=max(0, len(ordered) - openings),
            length=spread.length_spread(self._lengths),
            think_time=spread.think_time_spread(self._times),
            period_days=days,
            faults=faults,
        )


def _count(total: ResultCounts, ending: SeatResult, worth: float, score: float) -> None:
    total.games += 1
    total.won += ending is SeatResult.WON
    total.drew += ending is SeatResult.DREW
    total.lost += ending is SeatResult.LOST
    total.points += worth
    total.score += score


def _opening(moves: tuple[str, ...], sums: _OpeningSums) -> Opening:
    return Opening(
        moves=list(moves),
        games=sums.games,
        points=[each / sums.games for each in sums.points],
        turns=sums.turns / sums.games,
        examples=list(dict.fromkeys((sums.first[1], sums.last[1]))),
    )


class Tally:
    """All games of a selection, by table."""

    def __init__(self, agents: Collection[str] = (), opening: int = 1) -> None:
        """Count only the faults and times of these agents, if there are any; ``opening`` turns count as the opening."""
        self._agents, self._opening = agents, opening
        self._tables: dict[Table, TableTally] = {}
        self.annulled = 0
        """Games left out because the organiser annulled them."""

    def add(self, record: Record) -> GameSummary | None:
        """Count a finished game and return its summary; None if it was annulled."""
        if record.annulled is not None:
            self.annulled += 1
            return None
        game = summarise(record)
        table = game.protocol, len(game.seats)
        if table not in self._tables:
            self._tables[table] = TableTally(table, self._agents)
        self._tables[table].add(game, record, self._opening)
        return game

    def close(self, openings: int) -> list[TableStats]:
        """Return the statistics by table, most games first."""
        found = [tally.close(openings) for tally in self._tables.values()]
        return sorted(found, key=lambda each: (-each.games, each.protocol, each.seats))
