"""The Parquet file of an archive: its columns, read within bounds, since the file may be damaged or made to do harm."""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arbiter.records.at_rest import UnreadableArchive, unreadable
from arbiter.records.packed.bounded_memory import bounded_memory, checked
from arbiter.records.packed.columns import COLUMNS, VERSION, VERSION_KEY

Numbers = npt.NDArray[np.int64]
Place = tuple[int, int]
"""Row group, and row in it."""
_MOST_GAMES = 1_000_000
"""Ten times as many as the arbiter packs into one archive. A row can take a fraction of a bit in the file, but not in memory."""
_MOST_BYTES = 1 << 30
"""The largest row group when it is unpacked: the arbiter packs 24 MB of records into one, and their logs."""
BROKEN = (
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    msgspec.MsgspecError,
    pa.ArrowException,
    OSError,
    MemoryError,
    RecursionError,
)
"""Exceptions raised by reading an archive that is damaged or takes too much memory."""


class ColumnFile:
    """The columns of one archive, in row groups."""

    def __init__(self, path: Path) -> None:
        """Open an archive. Raises UnreadableArchive if it is not one that this arbiter can read."""
        self.path = path
        try:
            self._file = pq.ParquetFile(path, page_checksum_verification=True, memory_map=False)
            version = int((self._file.schema_arrow.metadata or {}).get(VERSION_KEY, b"0"))
        except BROKEN as error:
            raise unreadable(path, f"damaged, or not an archive of saved games ({reason(error)})") from None
        if version != VERSION or not set(COLUMNS) <= set(self._file.schema_arrow.names):
            what = "not an archive of saved games that this arbiter reads"
            raise unreadable(path, what, "update the arbiter")
        if len(self) > _MOST_GAMES:
            raise unreadable(path, f"{len(self)} games, but an archive has at most {_MOST_GAMES}")
        sizes = [self._file.metadata.row_group(group).num_rows for group in range(self.groups)]
        self._starts = list(accumulate(sizes, initial=0))
        paths = [self._file.schema.column(number).path for number in range(len(self._file.schema))]
        self._name_column = paths.index("name")

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    @property
    def groups(self) -> int:
        """The number of row groups."""
        return int(self._file.metadata.num_row_groups)

    def bounds(self, group: int) -> tuple[int, int]:
        """Return the first row of a row group, and the row after its last."""
        return self._starts[group], self._starts[group + 1]

    def place(self, row: int) -> Place:
        """Return where a row is."""
        group = bisect_right(self._starts, row) - 1
        return group, row - self._starts[group]

    def row(self, place: Place) -> int:
        """Return the number of a row among all rows."""
        return int(self._starts[place[0]]) + place[1]

    def table(self, group: int, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a row group, or some of its columns. Raises UnreadableArchive if it is damaged."""
        try:
            # The metadata is not trusted, but if the size it states is already too large, there is no need to try.
            if self._file.metadata.row_group(group).total_byte_size > _MOST_BYTES:
                raise MemoryError
            with bounded_memory():
                return checked(self._file.read_row_group(group, columns=columns))
        except BROKEN as error:
            raise self.damaged(group, error) from None

    def columns(self, columns: Sequence[str]) -> pa.Table:
        """Return some columns of all rows. Raises UnreadableArchive if they are damaged."""
        try:
            with bounded_memory():
                return checked(self._file.read(columns=columns)).combine_chunks()
        except BROKEN as error:
            raise unreadable(self.path, f"damaged ({reason(error)})") from None

    def distinct(self, column: str) -> set[str]:
        """Return the texts in a column, or in its lists. Raises UnreadableArchive if it is damaged."""
        values = self.columns([column]).column(column)
        flat = pc.list_flatten(values) if pa.types.is_list(values.type) else values
        return {text for text in pc.unique(flat).to_pylist() if text is not None}

    @contextlib.contextmanager
    def fitting(self) -> Iterator[None]:
        """Raise UnreadableArchive for columns that turn out in the block not to fit together."""
        try:
            yield
        except BROKEN as error:
            raise unreadable(self.path, f"damaged ({reason(error)})") from None

    def damaged(self, group: int, error: BaseException, what: str = "") -> UnreadableArchive:
        """Return the error for a row group, or something in it, that cannot be read."""
        return unreadable(self.path, f"{what}part {group + 1} is damaged ({reason(error)})")

    def name_range(self, group: int) -> tuple[str, str]:
        """Return bounds of the names in a row group, from the metadata."""
        known = self._file.metadata.row_group(group).column(self._name_column).statistics
        return (known.min, known.max) if known is not None and known.has_min_max else ("", "\U0010ffff")

    def sizes(self) -> dict[str, int]:
        """Return how many bytes each column takes in the file."""
        found: Counter[str] = Counter()
        for group in range(self.groups):
            found.update(self.group_sizes(group))
        return dict(found)

    def group_sizes(self, group: int) -> dict[str, int]:
        """Return how many bytes each column of a row group takes in the file."""
        found: dict[str, int] = {}
        parts = self._file.metadata.row_group(group)
        for number in range(parts.num_columns):
            part = parts.column(number)
            name = part.path_in_schema.partition(".")[0]
            found[name] = found.get(name, 0) + part.total_compressed_size
        return found


def whole(column: pa.ChunkedArray) -> pa.Array:
    """Return a column in one piece."""
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def elements(column: pa.ChunkedArray) -> tuple[Numbers, pa.Array]:
    """Return the row of every element of a list column, and the elements."""
    lists = whole(column)
    return pc.list_parent_indices(lists).to_numpy(zero_copy_only=False).astype(np.int64), pc.list_flatten(lists)


def reason(error: BaseException) -> str:
    """Return why something cannot be read, in a few words."""
    if isinstance(error, MemoryError):
        return "it takes too much memory"
    first_line = (str(error).splitlines() or [type(error).__name__])[0]
    return first_line.partition(". ")[0]  # the next sentence of pyarrow guesses what we say
