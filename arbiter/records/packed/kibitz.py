"""Search the kibitz of packed games for a text, ignoring case.

All kibitz of a row group is one text in memory, so that a search runs at the speed of ``bytes.find``. That needs text whose
case can be folded byte by byte: where kibitz or the text looked for is not ASCII, games are folded one by one if they must be.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arbiter.records.archive.kibitz import fold
from arbiter.records.archive.query import Query
from arbiter.records.packed.archive import Archive

Mask = npt.NDArray[np.bool_]

_FOLD_TO_ASCII = (
    b"\xc3\x9f",
    b"\xc4\xb0",
    b"\xc5\x89",
    b"\xc5\xbf",
    b"\xc7\xb0",
    b"\xe1\xba",
    b"\xe2\x84",
    b"\xef\xac",
)
"""The first two bytes of the characters beyond ASCII that contain ASCII once their case is folded: ß, ſ, the Kelvin sign …"""


def games_with(archive: Archive, query: Query, mask: Mask) -> Mask:
    """Return which of the games in the mask have kibitz with the text of the query, by one of its agents if it names any.

    One row group is read at a time, which bounds the memory.
    """
    found = np.zeros(len(mask), np.bool_)
    columns = ["kibitz"] + (["kibitz_at", "agents", "seat"] if query.agents else [])
    for group in range(archive.groups):
        start, end = archive.bounds(group)
        if mask[start:end].any():
            table = archive.table(group, columns)
            hits = _hits(_Kibitz.of(table), fold(query.kibitz or ""), every=bool(query.agents))
            rows = [row for row, lines in hits if not query.agents or _by_agent(table, row, lines, query)]
            found[start:end][rows] = mask[start:end][rows]
    return found


@dataclass(frozen=True, slots=True)
class _Kibitz:
    """The kibitz of a row group."""

    text: bytes
    starts: list[int]
    """Where the kibitz of each game starts, and the end of the last."""

    @classmethod
    def of(cls, table: pa.Table) -> _Kibitz:
        column = table.column("kibitz")
        texts = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
        _, offsets, data = texts.buffers()
        starts = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
        return cls(bytes(memoryview(data)[starts[0] : starts[-1]]) if data else b"", (starts - starts[0]).tolist())


def _hits(kibitz: _Kibitz, wanted: str, *, every: bool) -> Iterator[tuple[int, list[int]]]:
    """Yield the games that have a text; with ``every``, also the number of every line in which it is."""
    if not wanted.isascii() or not _folds_by_bytes(kibitz.text):
        yield from _hits_one_by_one(kibitz, wanted)
        return
    text, sought = kibitz.text.lower(), wanted.encode()
    at = text.find(sought)
    while 0 <= at < len(text):
        row = bisect_right(kibitz.starts, at) - 1
        end = kibitz.starts[row + 1]
        if at + len(sought) <= end:  # and not half of it in the next game
            yield row, _lines(text[kibitz.starts[row] : end], sought) if every else []
        at = text.find(sought, end)


def _lines(text: bytes, sought: bytes) -> list[int]:
    return [number for number, line in enumerate(text.split(b"\n")) if sought in line]


def _folds_by_bytes(text: bytes) -> bool:
    """Return whether a text in ASCII is found in this one if the ASCII letters of this one are made lower case."""
    return text.isascii() or not any(start in text for start in _FOLD_TO_ASCII)


def _hits_one_by_one(kibitz: _Kibitz, wanted: str) -> Iterator[tuple[int, list[int]]]:
    for row, start in enumerate(kibitz.starts[:-1]):
        text = kibitz.text[start : kibitz.starts[row + 1]].decode().casefold()
        if wanted in text:
            lines = [number for number, line in enumerate(text.split("\n")) if wanted in line]
            if lines:
                yield row, lines


def _by_agent(table: pa.Table, row: int, lines: list[int], query: Query) -> bool:
    """Return whether any of the lines is of an agent in the query. Positions after the last answer stand for seats."""
    seats, names = table.column("seat")[row].as_py(), table.column("agents")[row].as_py()
    positions = table.column("kibitz_at")[row].as_py()
    own = (positions[line] for line in lines)
    return any(names[seats[at] if at < len(seats) else at - len(seats)] in query.agents for at in own)
