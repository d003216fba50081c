"""Searches the kibitz of packed games for text, ignoring case.

All kibitz of a game is one text, and the texts of a row group are contiguous in memory. If they are ASCII, they are searched as
one buffer; a game is searched line by line only if its text contains a match and the query names agents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from arbiter.records.archive.kibitz import fold
from arbiter.records.archive.query import Query
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.arrays import texts, whole

Mask = npt.NDArray[np.bool_]
Ends = npt.NDArray[np.int32]


def games_with(archive: Archive, query: Query, mask: Mask) -> Mask:
    """Return which of the games in the mask have kibitz with the text of the query, by one of its agents if it names any."""
    found = np.zeros(len(mask), np.bool_)
    wanted = fold(query.kibitz or "")
    columns = ["kibitz"] + (["kibitz_at", "agents", "seat"] if query.agents else [])
    groups = [group for group in range(archive.groups) if mask[slice(*archive.bounds(group))].any()]
    for group, table in _tables(archive, groups, columns):
        start, end = archive.bounds(group)
        for row in _rows_with(table.column("kibitz"), wanted):
            if mask[start:end][row] and (not query.agents or _by_agent(table, row, wanted, query)):
                found[start + row] = True
    return found


def _tables(archive: Archive, groups: Sequence[int], columns: Sequence[str]) -> Iterator[tuple[int, pa.Table]]:
    """Yield row groups. While one is searched, only the next one is read, which bounds the memory."""
    with ThreadPoolExecutor(1) as reader:
        ahead = [reader.submit(archive.table, group, columns) for group in groups[:1]]
        for number, group in enumerate(groups):
            table = ahead.pop().result()
            ahead += [reader.submit(archive.table, later, columns) for later in groups[number + 1 : number + 2]]
            yield group, table


def _rows_with(column: pa.ChunkedArray, wanted: str) -> Iterator[int]:
    """Yield the rows whose text contains ``wanted``, once each."""
    lower = pc.ascii_lower(whole(column))  # many times faster than bytes.lower
    ends, data = texts(lower)
    together = bytes(data[ends[0] : ends[-1]])
    if not wanted:
        yield from np.flatnonzero(lower.is_valid().to_numpy(zero_copy_only=False)).tolist()
    elif together.isascii():
        yield from _in_ascii(together, ends - ends[0], wanted) if wanted.isascii() else ()
    else:
        for row, (start, end) in enumerate(pairwise(ends.tolist())):
            if wanted in str(data[start:end], "utf-8").casefold():
                yield row


def _in_ascii(together: bytes, ends: Ends, wanted: str) -> Iterator[int]:
    """Search all texts at once; a match that begins in one text and ends in the next does not count."""
    sought, at = wanted.encode(), 0
    while (at := together.find(sought, at)) >= 0:
        row = int(np.searchsorted(ends, at, "right")) - 1
        end = int(ends[row + 1])
        if at + len(sought) <= end:
            yield row
            at = end
        else:
            at += 1


def _by_agent(table: pa.Table, row: int, wanted: str, query: Query) -> bool:
    """Return whether an agent of the query wrote the text. Positions after the last answer represent seats."""
    seats, names = table.column("seat")[row].as_py(), table.column("agents")[row].as_py()
    positions = table.column("kibitz_at")[row].as_py()
    lines = table.column("kibitz")[row].as_py().casefold().split("\n")
    said = (at for at, line in zip(positions, lines, strict=True) if wanted in line)
    return any(names[seats[at] if at < len(seats) else at - len(seats)] in query.agents for at in said)
