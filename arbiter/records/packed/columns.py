"""The columns of an archive, one row per game: the files of the game as they were, and the facts in its summary.

:data:`FACTS` is the table of facts: every field of :class:`GameSummary` is a column, of the type that follows from its own, which
is searched with SQL and restored when packed games are listed. docs/archive.md documents the columns for other programs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
import pyarrow as pa

from arbiter.records.at_rest import LOGS
from arbiter.records.reader import Record
from arbiter.records.search.kibitz import folded_kibitz
from arbiter.records.search.moments import moment_us
from arbiter.records.summary import GameSummary, summarise

VERSION = 3
"""Incremented when an old reader could misread a new archive."""
VERSION_KEY = b"arbiter.archive"

_TEXT, _NUMBER = pa.string(), pa.int64()
_TEXTS, _NUMBERS = pa.list_(_TEXT), pa.list_(_NUMBER)
_MOMENT = pa.timestamp("us", tz="UTC")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_json = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class PackedGame:
    """The files of one game."""

    name: str
    """The file name of the record."""
    record: bytes
    logs: Mapping[str, bytes]
    """By column."""
    modified_us: int


class Fact(NamedTuple):
    """A column for a field of the summary."""

    kind: pa.DataType
    field: str = ""
    packed: Callable[[Any], Any] | None = None
    """Returns the value of the column for that of the field, if they differ."""
    unpacked: Callable[[Any], Any] | None = None


def _moment_text(us: int | None) -> str:
    """Return a time as records have it."""
    if us is None:
        return ""
    moment = _EPOCH + timedelta(microseconds=us)
    return moment.isoformat(timespec="microseconds" if us % 1000 else "milliseconds").replace("+00:00", "Z")


def _number_text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


_SEED = Fact(_TEXT, packed=_number_text, unpacked=_number)
_TIME = Fact(_MOMENT, packed=moment_us, unpacked=_moment_text)

_SPECIAL: dict[str, Fact] = {
    "seed": _SEED,
    "deal_seed": _SEED,
    "started": _TIME,
    "ended": _TIME,
    "data": Fact(_TEXT, packed=lambda data: _json(data).decode(), unpacked=msgspec.json.decode),
    "faults": Fact(
        pa.list_(pa.struct({"turn": _NUMBER, "seat": _NUMBER, "kind": _TEXT, "detail": _TEXT}.items())),
        packed=lambda faults: list(map(msgspec.structs.astuple, faults)),
    ),
}
_KINDS: dict[Any, pa.DataType] = {
    str: _TEXT, str | None: _TEXT, int: _NUMBER, int | None: _NUMBER, bool: pa.bool_(),
    list[str]: _TEXTS, list[int]: _NUMBERS, list[float]: pa.list_(pa.float64()),
}  # fmt: skip

FACTS: dict[str, Fact] = {
    "agents" if field.name == "seats" else field.name: (_SPECIAL.get(field.name) or Fact(_KINDS[field.type]))._replace(
        field=field.name
    )
    for field in msgspec.structs.fields(GameSummary)
    if field.name not in ("record", "finished")  # a packed game has a name, and is always finished
}

COLUMNS: dict[str, pa.DataType] = {
    "name": _TEXT,
    "modified": _MOMENT,
    "record": pa.binary(),
    **dict.fromkeys(LOGS, pa.binary()),
    **{name: fact.kind for name, fact in FACTS.items()},
    "kibitz": _TEXTS,
}
Row = dict[str, Any]


def row(game: PackedGame, record: Record) -> Row:
    """Return the values of a game by column; ``record`` is the game's, decoded."""
    found: Row = {"name": game.name, "modified": game.modified_us, "record": game.record, **game.logs}
    found |= facts(summarise(record))
    spoken = folded_kibitz(record)
    found["kibitz"] = [spoken.get(seat) for seat in range(len(record.header.seats))] if spoken else []
    return found


def facts(summary: GameSummary) -> Row:
    """Return the values of the columns for a summary."""
    found: Row = {}
    for name, fact in FACTS.items():
        value = getattr(summary, fact.field)
        found[name] = fact.packed(value) if fact.packed else value
    return found


def table(rows: Sequence[Row]) -> pa.Table:
    """Return rows as a table. Raises OverflowError for numbers that do not fit their columns."""
    arrays = [pa.array([each.get(name) for each in rows], kind) for name, kind in COLUMNS.items()]
    return pa.table(arrays, schema=schema())


def packed_games(part: pa.Table) -> Iterable[PackedGame]:
    """Yield the files of the games in a table. Raises ValueError for a row that lacks one."""
    for each in part.select(["name", "modified", "record", *LOGS]).cast(_plain_schema(part)).to_pylist():
        if each["name"] is None or each["record"] is None:
            raise ValueError("a game without its name or record")
        logs = {column: each[column] for column in LOGS if each[column] is not None}
        yield PackedGame(each["name"], each["record"], logs, each["modified"] or 0)


def _plain_schema(part: pa.Table) -> pa.Schema:
    kinds = {"modified": pa.int64()}
    return pa.schema([(name, kinds.get(name, COLUMNS[name])) for name in ("name", "modified", "record", *LOGS)])


def summary(part: pa.Table, at: int, record: str) -> GameSummary:
    """Return the summary of a game from its facts. Raises ValueError or OverflowError if they do not fit together."""
    values: Row = {"record": record}
    for name, fact in FACTS.items():
        cell = part.column(name)[at]
        value = cell.as_py() if fact.kind is not _MOMENT else cell.value
        values[fact.field] = fact.unpacked(value) if fact.unpacked else value
    found = msgspec.convert(values, GameSummary)
    by_seat = (found.fingerprints, found.ranks, found.scores, found.answers, found.think_us, found.slowest_us)
    if any(len(each) != len(found.seats) for each in by_seat):
        raise ValueError("facts for another number of agents")
    if not all(0 <= fault.seat < len(found.seats) for fault in found.faults):
        raise ValueError("a fault of an agent that did not play")
    return found


@functools.cache
def schema() -> pa.Schema:
    """Return the schema of an archive."""
    return pa.schema(list(COLUMNS.items()), metadata={VERSION_KEY: str(VERSION).encode()})


LEVEL = 6
"""Of zstd: 9 makes records 6 % smaller and takes three times as long, 19 makes them 20 % smaller and takes sixty times as long."""
_LARGEST_PAGE = 1 << 28
"""Larger than any row group, so that all records of a group are compressed as one: they have most of their text in common."""


@functools.cache
def writing() -> dict[str, Any]:
    """Return how columns are written: the options of ``pyarrow.parquet.ParquetWriter``."""
    unique = ("name", "record", *LOGS, "digest", "moves_hash", "kibitz.list.element")
    numbers = ("modified", "started", "ended", "duration_us")
    return {
        "compression": "ZSTD",
        "compression_level": LEVEL,
        "use_dictionary": [leaf for leaf in _leaves() if leaf not in {*unique, *numbers}],
        "column_encoding": dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
        "write_statistics": ["name", "started", "protocol", "contest"],
        "write_page_checksum": True,
        "data_page_size": _LARGEST_PAGE,
    }


def _leaves() -> list[str]:
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(schema().empty_table(), sink)
    written = pq.ParquetFile(pa.BufferReader(sink.getvalue())).schema
    return [written.column(number).path for number in range(len(written))]
