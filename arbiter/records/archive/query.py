"""A query about saved games, and its translation to SQL on the tables of the index."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from arbiter.errors import UserError
from arbiter.records.archive.kibitz import fold
from arbiter.records.scoring import SeatResult

Sort = Literal["date", "length", "duration"]
Condition = tuple[str, list[object]]
"""An SQL condition and its parameters."""

ANY_FAULT = "any"
_MOST_NAMES = 100
_COLUMNS: dict[Sort, str] = {"date": "started", "length": "turns", "duration": "duration"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Conditions that must all hold, and the order of the games that match. The default matches every saved game."""

    agents: tuple[str, ...] = ()
    """All of these played. With ``faults`` or ``kibitz``, only their own faults and kibitz count."""
    won: tuple[str, ...] = ()
    drew: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    protocol: str | None = None
    faults: tuple[str, ...] = ()
    """There was a fault of one of these kinds; ``any`` matches every kind."""
    since_us: int | None = None
    """Started at this time or later; games without a known start match no time."""
    until_us: int | None = None
    seed: int | None = None
    kibitz: str | None = None
    """Part of a line of kibitz, ignoring case."""
    contest: str | None = None
    stage: str | None = None
    finished: bool | None = None
    duplicates: bool = False
    """There is another record with the same digest. Equal games are then listed together."""
    sort: Sort = "date"
    """Newest, most turns or longest duration first; unknown values last."""
    reverse: bool = False
    limit: int | None = None
    """The maximum number of games to return."""

    def __post_init__(self) -> None:
        """Raise UserError for more conditions than SQLite takes in a statement."""
        given = sum(map(len, (self.agents, self.won, self.drew, self.lost, self.faults)))
        if given > _MOST_NAMES:
            raise UserError(f"{given} agents and faults to search for; give at most {_MOST_NAMES}")


def where(query: Query) -> Condition:
    """Return the WHERE clause of a query on the table ``game``."""
    conditions = list(_conditions(query))
    parameters = [value for _, values in conditions for value in values]
    return " AND ".join(text for text, _ in conditions) or "TRUE", parameters


def order(query: Query) -> str:
    """Return the ORDER BY clause of a query; ties are ordered by path."""
    column, way = _COLUMNS[query.sort], "ASC" if query.reverse else "DESC"
    terms = [f"{column} IS NULL", f"{column} {way}", "path"]
    if query.duplicates:
        first = f"{'min' if query.reverse else 'max'}({column}) OVER (PARTITION BY digest)"
        terms = [f"{first} IS NULL", f"{first} {way}", "digest", *terms]
    return ", ".join(terms)


def _conditions(query: Query) -> Iterator[Condition]:
    for name in query.agents:
        yield "game.id IN (SELECT game FROM seat WHERE name = ?)", [name]
    for ending, names in ((SeatResult.WON, query.won), (SeatResult.DREW, query.drew), (SeatResult.LOST, query.lost)):
        for name in names:
            yield "game.id IN (SELECT game FROM seat WHERE name = ? AND ending = ?)", [name, str(ending)]
    for column, value in (("protocol", query.protocol), ("contest", query.contest), ("stage", query.stage)):
        if value is not None:
            yield f"{column} = ?", [value]
    if query.seed is not None:
        yield "seed = ?", [str(query.seed)]
    if query.since_us is not None:
        yield "started >= ?", [query.since_us]
    if query.until_us is not None:
        yield "started <= ?", [query.until_us]
    if query.finished is not None:
        yield "finished = ?", [query.finished]
    if query.duplicates:
        yield "digest IN (SELECT digest FROM game WHERE finished GROUP BY digest HAVING count(*) > 1)", []
    if query.faults:
        kinds: Condition = ("TRUE", []) if ANY_FAULT in query.faults else _one_of("kind", query.faults)
        yield _by_a_seat("fault", query, kinds)
    if query.kibitz is not None:
        yield _by_a_seat("kibitz", query, ("instr(text, ?)", [fold(query.kibitz)]))


def _by_a_seat(table: str, query: Query, condition: Condition) -> Condition:
    """Return the condition that a row of the table matches, for one of the query's agents if it names any."""
    names: Condition = _one_of("name", query.agents) if query.agents else ("TRUE", [])
    rows = f"SELECT 1 FROM {table} JOIN seat USING (game, seat) WHERE game = game.id AND {condition[0]} AND {names[0]}"
    return f"EXISTS ({rows})", [*condition[1], *names[1]]


def _one_of(column: str, values: Collection[str]) -> Condition:
    return f"{column} IN ({', '.join('?' * len(values))})", list(values)
