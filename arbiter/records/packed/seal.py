"""A digest of the values in a table, equal for equal values regardless of their layout in memory.

A row group is sealed when it is written and again when it is read back: equal seals mean that the file holds what was
checked in memory.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arbiter.records.packed.arrays import texts, whole

if TYPE_CHECKING:
    from hashlib import _Hash


def seal(table: pa.Table) -> bytes:
    """Return the digest of a table: of the names and values of its columns."""
    digest = hashlib.sha256()
    for name, column in zip(table.column_names, table.columns, strict=True):
        digest.update(f"{name}\0".encode())
        _add(digest, whole(column))
    return digest.digest()


def _add(digest: _Hash, values: pa.Array) -> None:
    kind = values.type
    digest.update(f"{len(values)} {values.null_count}\0".encode())
    if values.null_count:
        digest.update(_bytes(values.is_valid()))
        values = values.drop_null()
    if pa.types.is_list(kind):
        digest.update(_bytes(pc.list_value_length(values)))
        _add(digest, values.flatten())
    elif pa.types.is_struct(kind):
        for field in values.flatten():
            _add(digest, field)
    elif pa.types.is_string(kind) or pa.types.is_binary(kind):
        digest.update(_bytes(pc.binary_length(values)))
        ends, data = texts(values)
        digest.update(data[ends[0] : ends[-1]])
    elif pa.types.is_fixed_size_binary(kind):
        first, end = (at * kind.byte_width for at in (values.offset, values.offset + len(values)))
        digest.update(memoryview(values.buffers()[1] or b"")[first:end])
    else:
        digest.update(_bytes(values.cast(pa.int64()) if pa.types.is_timestamp(kind) else values))


def _bytes(values: pa.Array) -> Any:
    return np.ascontiguousarray(values.to_numpy(zero_copy_only=False)).data
