"""Columns of a table as arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def whole(column: pa.ChunkedArray) -> pa.Array:
    """Return a column in one piece."""
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def elements(column: pa.ChunkedArray) -> tuple[Numbers, pa.Array]:
    """Return the row of every element of a list column, and the elements."""
    lists = whole(column)
    return pc.list_parent_indices(lists).to_numpy(zero_copy_only=False).astype(np.int64), pc.list_flatten(lists)


def texts(column: pa.StringArray) -> tuple[npt.NDArray[np.int32], memoryview]:
    """Return where each text of an array starts, followed by the end of the last one, and the memory they are in."""
    if not len(column):
        return np.zeros(1, np.int32), memoryview(b"")
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    return ends, memoryview(data or b"")
