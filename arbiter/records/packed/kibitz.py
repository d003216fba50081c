"""Search the kibitz of packed games for a text, ignoring case.

All kibitz of a game is one text. A game is looked at one line at a time only if its text has what is sought and the query
names agents.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arbiter.records.archive.kibitz import fold
from arbiter.records.archive.query import Query
from arbiter.records.packed.archive import Archive

Mask = npt.NDArray[np.bool_]


def games_with(archive: Archive, query: Query, mask: Mask) -> Mask:
    """Return which of the games in the mask have kibitz with the text of the query, by one of its agents if it names any.

    One row group is read at a time, which bounds the memory.
    """
    found = np.zeros(len(mask), np.bool_)
    wanted = fold(query.kibitz or "")
    columns = ["kibitz"] + (["kibitz_at", "agents", "seat"] if query.agents else [])
    for group in range(archive.groups):
        start, end = archive.bounds(group)
        if not mask[start:end].any():
            continue
        table = archive.table(group, columns)
        for row, text in _texts(table.column("kibitz"), mask[start:end]):
            folded = text.casefold()
            if wanted in folded and (not query.agents or _by_agent(table, row, folded, wanted, query)):
                found[start + row] = True
    return found


def _texts(column: pa.ChunkedArray, mask: Mask) -> Iterator[tuple[int, str]]:
    """Yield the games in the mask that have kibitz, with its text: straight from memory, in half the time of ``as_py``."""
    texts = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1].tolist()
    view = memoryview(data or b"")
    valid = texts.is_valid().to_numpy(zero_copy_only=False)
    for row, ((start, end), wanted) in enumerate(zip(pairwise(ends), (mask & valid).tolist(), strict=True)):
        if wanted:
            yield row, str(view[start:end], "utf-8")


def _by_agent(table: pa.Table, row: int, text: str, wanted: str, query: Query) -> bool:
    """Return whether an agent of the query said it. Positions after the last answer stand for seats."""
    seats, names = table.column("seat")[row].as_py(), table.column("agents")[row].as_py()
    positions = table.column("kibitz_at")[row].as_py()
    said = (at for at, line in zip(positions, text.split("\n"), strict=True) if wanted in line)
    return any(names[seats[at] if at < len(seats) else at - len(seats)] in query.agents for at in said)
