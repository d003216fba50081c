"""The conditions of a query, each evaluated on whole columns: by agent, result, fault, seed, date, protocol, contest, stage."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from arbiter.records.packed.column_file import Numbers, elements, whole
from arbiter.records.scoring import SeatResult
from arbiter.records.search.query import ANY_FAULT, UNKNOWN, Query

Mask = npt.NDArray[np.bool_]


def numbers(column: pa.ChunkedArray) -> Numbers:
    """Return a column of numbers or times, with :data:`UNKNOWN` for null."""
    found: Numbers = column.cast(pa.int64()).fill_null(UNKNOWN).to_numpy()
    return found


Test = Callable[[pa.Table], Mask]


def conditions(query: Query) -> Iterator[tuple[list[str], Test]]:
    """Yield the conditions of a query on columns, each with the columns that it needs."""
    for name in query.agents:
        yield ["agents"], functools.partial(_played, name)
    for ending, names in ((SeatResult.WON, query.won), (SeatResult.DREW, query.drew), (SeatResult.LOST, query.lost)):
        for name in names:
            yield ["agents", "ranks"], functools.partial(_ended, name, ending)
    for column, value in (("protocol", query.protocol), ("contest", query.contest), ("stage", query.stage)):
        if value is not None:
            yield [column], functools.partial(_equal, column, value)
    if query.seed is not None:
        yield ["seed"], functools.partial(_equal, "seed", str(query.seed))
    if query.since_us is not None or query.until_us is not None:
        yield ["started"], lambda table: _between_times(table, query)
    if query.faults:
        yield ["agents", "faults.list.element.kind", "faults.list.element.seat"], lambda table: _faulted(table, query)


def _equal(column: str, value: str, table: pa.Table) -> Mask:
    return flags(pc.equal(table.column(column), value))


def flags(found: Any) -> Mask:
    """Return a column of truth values; null is false."""
    mask: Mask = np.asarray(found.fill_null(False)).astype(np.bool_)
    return mask


def _between_times(table: pa.Table, query: Query) -> Mask:
    started = numbers(table.column("started"))
    since = query.since_us if query.since_us is not None else UNKNOWN
    until = query.until_us if query.until_us is not None else (1 << 63) - 1
    mask: Mask = (started != UNKNOWN) & (started >= since) & (started <= until)
    return mask


def _rows(rows: Numbers, wanted: Mask, length: int) -> Mask:
    mask = np.zeros(length, np.bool_)
    mask[rows[wanted]] = True
    return mask


def _played(name: str, table: pa.Table) -> Mask:
    rows, names = elements(table.column("agents"))
    return _rows(rows, flags(pc.equal(names, name)), table.num_rows)


def _ended(name: str, ending: SeatResult, table: pa.Table) -> Mask:
    rows, flat = elements(table.column("ranks"))
    first = flags(pc.equal(flat, 1))
    shared = np.bincount(rows[first], minlength=table.num_rows)[rows]
    ended = {SeatResult.WON: first & (shared == 1), SeatResult.DREW: first & (shared > 1), SeatResult.LOST: ~first}
    _, names = elements(table.column("agents"))
    named = flags(pc.equal(names, name))
    return _rows(rows, named & ended[ending], table.num_rows)


def _faulted(table: pa.Table, query: Query) -> Mask:
    rows, flat = elements(table.column("faults"))
    kinds = flat.field("kind")
    wanted = np.ones(len(flat), np.bool_)
    if ANY_FAULT not in query.faults:
        wanted = flags(pc.is_in(kinds, pa.array(query.faults, pa.string())))
    if query.agents:
        starts = whole(table.column("agents")).offsets.to_numpy()
        _, names = elements(table.column("agents"))
        own = flags(pc.is_in(names, pa.array(query.agents, pa.string())))
        wanted = wanted & own[(starts[rows] - starts[0]) + flat.field("seat").to_numpy(zero_copy_only=False)]
    return _rows(rows, wanted, table.num_rows)
