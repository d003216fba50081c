"""Count games for statistics, with memory that hardly grows with the number of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from arbiter.records.stats import spread
from arbiter.records.stats.counted_game import Batch, CountedGame, Table
from arbiter.records.stats.document import AgentStats, Opening, ResultCounts, SeatStats, TableStats
from arbiter.records.stats.spread import date_of
from arbiter.scoring import SeatResult, points, seat_result

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

    def add(self, game: CountedGame, worth: Sequence[float], when: tuple[int, str]) -> None:
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

    def add(self, game: CountedGame) -> None:
        """Count one game."""
        self._games += 1
        self._lengths[game.turns] += 1
        worth = [points(game.ranks, seat, "places") for seat in range(len(game.agents))]
        for seat, name in enumerate(game.agents):
            ending = seat_result(list(game.ranks), seat)
            _count(self._seats[seat], ending, worth[seat], game.scores[seat])
            if name not in self._by_agent:
                self._by_agent[name] = AgentStats(agent=name)
            _count(self._by_agent[name], ending, worth[seat], game.scores[seat])
        self._open(game, worth)
        if game.started_us is not None:
            self._date(game, game.started_us)

    def _open(self, game: CountedGame, worth: list[float]) -> None:
        """Count the opening."""
        if len(self._openings) >= MOST_OPENINGS and game.opening not in self._openings:
            kept = sorted(self._openings.items(), key=lambda each: -each[1].games)[: MOST_OPENINGS // 2]
            self._openings = dict(kept)
        when = (game.started_us or 0, game.record)
        sums = self._openings.get(game.opening)
        if sums is None:
            sums = self._openings[game.opening] = _OpeningSums([0.0] * len(worth), when, when)
        sums.add(game, worth, when)

    def _date(self, game: CountedGame, started_us: int) -> None:
        self._first = min(started_us, started_us if self._first is None else self._first)
        self._last = max(started_us, started_us if self._last is None else self._last)
        games, kinds = self._days.setdefault(started_us // spread.DAY_US, ([0], Counter()))
        games[0] += 1
        kinds.update(kind for seat, kind in game.faults if not self._agents or game.agents[seat] in self._agents)

    def add_times(self, times: Counter[tuple[int, int]]) -> None:
        """Count answers by turn and time."""
        self._times.update(times)

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

    def __init__(self, agents: Collection[str] = ()) -> None:
        self._agents = agents
        self._tables: dict[Table, TableTally] = {}
        self.annulled = 0
        """Games left out because the organiser annulled them."""

    def add(self, batch: Batch) -> None:
        """Count the games of a batch."""
        self.annulled += batch.annulled
        for game in batch.games:
            self._of(game.table).add(game)
        for table, times in batch.times.items():
            self._of(table).add_times(times)

    def _of(self, table: Table) -> TableTally:
        if table not in self._tables:
            self._tables[table] = TableTally(table, self._agents)
        return self._tables[table]

    def close(self, openings: int) -> list[TableStats]:
        """Return the statistics by table, most games first."""
        found = [tally.close(openings) for tally in self._tables.values()]
        return sorted(found, key=lambda each: (-each.games, each.protocol, each.seats))


def tally(batches: Iterable[Batch], agents: Collection[str] = ()) -> Tally:
    """Count batches of games; with ``agents``, only their own faults."""
    found = Tally(agents)
    for batch in batches:
        found.add(batch)
    return found
