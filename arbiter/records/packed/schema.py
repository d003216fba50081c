"""The columns of an archive: one row per game. docs/archive.md describes them for those who open archives elsewhere."""

from __future__ import annotations

import functools
from typing import Any

import pyarrow as pa

VERSION = 1
"""Incremented when an old reader could misread a new archive."""
VERSION_KEY = b"arbiter.archive"

_MOMENT = pa.timestamp("ms", tz="UTC")
_TEXT = pa.string()


def _at(**fields: pa.DataType) -> pa.DataType:
    """Return the type of a list of things that only some answers have, each with the position of its answer."""
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
    # What the exact text of the record is made of
    "header": _TEXT,
    "setup_shape": _TEXT,
    "setup_numbers": pa.list_(pa.int32()),
    "result": _TEXT,
    "result_numbers": pa.list_(pa.int32()),
    "annulled": _TEXT,
    "exact": pa.binary(),
    "stderr_log": pa.binary(),
    # By answer: lists of equal length
    "turn": pa.list_(pa.int32()),
    "seat": pa.list_(pa.int8()),
    "move": pa.list_(_TEXT),
    "wall_us": pa.list_(pa.int64()),
    "off_cpu_us": pa.list_(pa.int64()),
    "waited_us": pa.list_(pa.int64()),
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
    "kibitz": _at(text=_TEXT),
    "messages": _at(text=_TEXT),
    "notes": _at(text=_TEXT),
}

ANSWERS = ("turn", "seat", "move", "wall_us", "off_cpu_us", "waited_us", "extra_us")
"""Lists with an entry for each answer."""
SOME_ANSWERS = ("left_us", "chance", "restarts", "faults", "kibitz", "messages", "notes")
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


_NUMBERS = ("wall_us", "off_cpu_us", "waited_us")
_UNIQUE = ("name", "digest", "exact", "stderr_log")
_LEVEL = 7


@functools.cache
def writing() -> dict[str, Any]:
    """Return how columns are encoded: the options of ``pyarrow.parquet.ParquetWriter``.

    Times are split by bytes, which puts their nearly constant high bytes together; everything that repeats has a dictionary.
    The other encodings were measured and are larger.
    """
    leaves = _leaves()
    plain = {*(f"{name}.list.element" for name in _NUMBERS), *_UNIQUE}
    return {
        "compression": {leaf: "NONE" if leaf in ("digest", "stderr_log") else "ZSTD" for leaf in leaves},
        "compression_level": {leaf: _LEVEL for leaf in leaves if leaf not in ("digest", "stderr_log")},
        "use_dictionary": [leaf for leaf in leaves if leaf not in plain],
        "column_encoding": {f"{name}.list.element": "BYTE_STREAM_SPLIT" for name in _NUMBERS},
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
