"""The columns of an archive: one row per game. docs/archive.md documents them for other programs."""

from __future__ import annotations

import functools
from typing import Any

import pyarrow as pa

VERSION = 2
"""Incremented when an old reader could misread a new archive."""
VERSION_KEY = b"arbiter.archive"

_MOMENT = pa.timestamp("ms", tz="UTC")
_TEXT = pa.string()


def _at(**fields: pa.DataType) -> pa.DataType:
    """Return the type of a list of values that only some answers have, each with the position of its answer."""
    return pa.list_(pa.struct([("at", pa.int32()), *fields.items()]))


COLUMNS: dict[str, pa.DataType] = {
    # The game as a whole
    "name": _TEXT,
    "modified": _MOMENT,
    "protocol": _TEXT,
    "version": pa.int64(),
    "contest": _TEXT,
    "stage": _TEXT,
    "game": pa.int64(),
    "seed": pa.int64(),
    "deal_seed": pa.int64(),
    "started": _MOMENT,
    "ended": _MOMENT,
    "agents": pa.list_(_TEXT),
    "fingerprints": pa.list_(_TEXT),
    "turns": pa.int64(),
    "ranks": pa.list_(pa.int64()),
    "scores": pa.list_(pa.float64()),
    "reason": _TEXT,
    "digest": pa.binary(32),
    # What the exact text of the record is restored from
    "header": _TEXT,
    "setup_shape": _TEXT,
    "setup_numbers": pa.list_(pa.int32()),
    "result": _TEXT,
    "result_numbers": pa.list_(pa.int32()),
    "annulled": _TEXT,
    "exact": pa.binary(),
    "stderr_log": pa.binary(),
    "referee_log": pa.binary(),
    # By answer: lists of equal length
    "turn": pa.list_(pa.int32()),
    "seat": pa.list_(pa.int8()),
    "move": pa.list_(_TEXT),
    "cpu_us": pa.list_(pa.int64()),
    "waited_us": pa.list_(pa.int64()),
    "idle_us": pa.list_(pa.int64()),
    "extra_us": pa.list_(pa.int64()),
    # What only some answers have
    "left_us": _at(us=pa.int64()),
    "chance": _at(outcome=pa.int64()),
    "restarts": pa.list_(pa.int32()),
    "faults": _at(
        seat=pa.int8(),
        kind=_TEXT,
        detail=_TEXT,
        said=_TEXT,
        said_bytes=pa.int64(),
        stderr=_TEXT,
        exit_code=pa.int64(),
        memory=pa.int64(),
    ),
    "kibitz_at": pa.list_(pa.int32()),
    "kibitz": _TEXT,
    "messages": _at(text=_TEXT),
    "notes": _at(text=_TEXT),
}

TIMES = ("cpu_us", "waited_us", "idle_us", "extra_us")
ANSWERS = ("turn", "seat", "move", *TIMES)
"""Lists with an entry for each answer."""
SOME_ANSWERS = ("left_us", "chance", "restarts", "faults", "kibitz_at", "messages", "notes")
"""Lists with an entry for some answers, which has the position of its answer."""

FACTS = (
    *("name", "protocol", "contest", "stage", "seed", "started", "ended", "agents", "turns", "ranks", "scores"),
    *("reason", "digest"),
)
"""The columns that describe a game in a list of games."""


@functools.cache
def schema() -> pa.Schema:
    """Return the schema of an archive."""
    return pa.schema(list(COLUMNS.items()), metadata={VERSION_KEY: str(VERSION).encode()})


_BY_BYTES = (
    *(f"{name}.list.element" for name in ("turn", "cpu_us", "waited_us", "idle_us", "setup_numbers", "result_numbers")),
    *("kibitz_at.list.element", "scores.list.element", "chance.list.element.at", "left_us.list.element.at"),
)
"""Numbers whose high bytes hardly vary: BYTE_STREAM_SPLIT puts the bytes of equal weight together."""
_BY_STEPS = ("modified", "game", "seed", "started", "ended")
"""Numbers that grow from game to game: DELTA_BINARY_PACKED keeps differences."""
_UNIQUE = ("name", "digest", "exact", "stderr_log", "referee_log", "kibitz")
"""Values without a dictionary, since hardly any repeats."""
_INCOMPRESSIBLE = ("digest", "stderr_log", "referee_log")
_LEVELS = {"kibitz": 7, "header": 9, "setup_shape": 9, "result": 9, "result_numbers.list.element": 12}
_LEVEL = 5
"""Compression level: higher ones take longer to write, and make only long texts and curves smaller by more than 1 %."""


@functools.cache
def writing() -> dict[str, Any]:
    """Return how columns are encoded: the options of ``pyarrow.parquet.ParquetWriter``.

    Each column has the encoding that was smallest for games of Splendor and Heroes, by default a dictionary.
    """
    leaves = _leaves()
    plain = {*_BY_BYTES, *_BY_STEPS, *_UNIQUE}
    return {
        "compression": {leaf: "NONE" if leaf in _INCOMPRESSIBLE else "ZSTD" for leaf in leaves},
        "compression_level": {leaf: _LEVELS.get(leaf, _LEVEL) for leaf in leaves if leaf not in _INCOMPRESSIBLE},
        "use_dictionary": [leaf for leaf in leaves if leaf not in plain],
        "column_encoding": dict.fromkeys(_BY_BYTES, "BYTE_STREAM_SPLIT")
        | dict.fromkeys(_BY_STEPS, "DELTA_BINARY_PACKED"),
        "write_statistics": ["name", "started", "seed", "protocol", "contest"],
        "write_page_checksum": True,
        "store_schema": True,
        "data_page_size": 1 << 22,
        "dictionary_pagesize_limit": 1 << 22,
    }


def _leaves() -> list[str]:
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(schema().empty_table(), sink)
    written = pq.ParquetFile(pa.BufferReader(sink.getvalue())).schema
    return [written.column(number).path for number in range(len(written))]
