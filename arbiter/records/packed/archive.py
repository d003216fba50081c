"""One archive, opened for reading: games by name, one row group at a time."""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from arbiter.errors import UserError
from arbiter.records.packed.restore import records
from arbiter.records.packed.schema import COLUMNS, FACTS, VERSION, VERSION_KEY

Place = tuple[int, int]
"""Row group, and row in it."""
_GROUPS = 2
"""Row groups that are kept in memory."""
BROKEN = (pa.ArrowException, OSError, ValueError, LookupError, TypeError, AttributeError)
"""What reading a damaged archive can raise."""


def open_archive(path: Path) -> Archive:
    """Open an archive, or return it as it was opened before if it has not changed. Raises UserError."""
    try:
        status = path.stat()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    return _opened(path, (status.st_ino, status.st_size, status.st_mtime_ns))


@functools.lru_cache(256)
def _opened(path: Path, _: tuple[int, int, int]) -> Archive:
    return Archive(path)


class _Group:
    """A row group in memory. The first record is made on its own; whoever asks for a second one gets all of them made."""

    def __init__(self, table: pa.Table) -> None:
        self._table, self._asked = table, False
        self._all: list[bytes] | None = None

    def record(self, row: int) -> bytes:
        if not self._asked:
            self._asked = True
            return next(records(self._table.slice(row, 1)))
        if self._all is None:
            self._all = list(records(self._table))
        return self._all[row]

    def value(self, row: int, column: str) -> Any:
        return self._table.column(column)[row]


class Archive:
    """The games of one archive."""

    def __init__(self, path: Path) -> None:
        """Open an archive. Raises UserError if it is not one that this arbiter can read."""
        self.path = path
        try:
            self._file = pq.ParquetFile(path, page_checksum_verification=True, memory_map=False)
            version = int((self._file.schema_arrow.metadata or {}).get(VERSION_KEY, b"0"))
        except BROKEN as error:
            raise UserError(f"{path}: not an archive of saved games ({_first_line(error)})") from None
        if not 0 < version <= VERSION or not set(COLUMNS) <= set(self._file.schema_arrow.names):
            raise UserError(f"{path}: not an archive of saved games that this arbiter reads; update the arbiter")
        self._names: dict[int, dict[str, int]] = {}
        self._lists: dict[int, list[str]] = {}
        self._facts: tuple[int, pa.Table] | None = None
        sizes = [self._file.metadata.row_group(group).num_rows for group in range(self.groups)]
        self._starts = list(accumulate(sizes, initial=0))
        self._groups: OrderedDict[int, _Group] = OrderedDict()
        paths = [self._file.schema.column(number).path for number in range(len(self._file.schema))]
        self._name_column = paths.index("name")

    def __len__(self) -> int:
        return int(self._file.metadata.num_rows)

    @property
    def groups(self) -> int:
        """The number of row groups."""
        return int(self._file.metadata.num_row_groups)

    def table(self, group: int, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a row group, or some of its columns. Raises UserError if it is damaged."""
        try:
            return self._file.read_row_group(group, columns=columns)
        except BROKEN as error:
            raise UserError(f"{self.path}: part {group + 1} is damaged ({_first_line(error)})") from None

    def sizes(self) -> dict[str, int]:
        """Return how many bytes each column takes in the file."""
        found: dict[str, int] = {}
        for group in range(self.groups):
            parts = self._file.metadata.row_group(group)
            for number in range(parts.num_columns):
                part = parts.column(number)
                name = part.path_in_schema.partition(".")[0]
                found[name] = found.get(name, 0) + part.total_compressed_size
        return found

    def bounds(self, group: int) -> tuple[int, int]:
        """Return the first row of a row group and the one after its last."""
        return self._starts[group], self._starts[group + 1]

    def place(self, row: int) -> Place:
        """Return where a row is."""
        group = bisect_right(self._starts, row) - 1
        return group, row - self._starts[group]

    def row(self, place: Place) -> int:
        """Return the number of a row among all rows."""
        return int(self._starts[place[0]]) + place[1]

    def name(self, place: Place) -> str:
        """Return the file name of a game."""
        if place[0] not in self._lists:
            self._lists[place[0]] = list(self._names_of(place[0]))
        return self._lists[place[0]][place[1]]

    def columns(self, columns: Sequence[str]) -> pa.Table:
        """Return some columns of all rows. Raises UserError if the archive is damaged."""
        try:
            return self._file.read(columns=columns).combine_chunks()
        except BROKEN as error:
            raise UserError(f"{self.path}: damaged ({_first_line(error)})") from None

    def digests(self) -> list[bytes | None]:
        """Return the digests of all games."""
        return list(self.columns(["digest"]).column("digest").to_pylist())

    def facts(self, place: Place) -> dict[str, Any]:
        """Return what the list of games shows of a game; moments in milliseconds."""
        group, row = place
        if self._facts is None or self._facts[0] != group:
            self._facts = group, self.table(group, [*FACTS, "header", "faults"])
        table = self._facts[1]
        found = {name: table.column(name)[row] for name in table.column_names}
        return {
            name: (value.value if name in ("started", "ended") else value.as_py()) if value.is_valid else None
            for name, value in found.items()
        }

    def names(self) -> Iterator[str]:
        """Yield the file names of all games, in the order of the rows."""
        for group in range(self.groups):
            yield from self._names_of(group)

    def _names_of(self, group: int) -> dict[str, int]:
        if group not in self._names:
            names = self.table(group, ["name"]).column("name").to_pylist()
            self._names[group] = {name: row for row, name in enumerate(names)}
        return self._names[group]

    def find(self, name: str) -> Place | None:
        """Return where the game with this file name is; None if it is not here."""
        for group in range(self.groups):
            known = self._file.metadata.row_group(group).column(self._name_column).statistics
            if known is not None and known.has_min_max and not known.min <= name <= known.max:
                continue
            row = self._names_of(group).get(name)
            if row is not None:
                return group, row
        return None

    def _group(self, number: int) -> _Group:
        group = self._groups.pop(number, None) or _Group(self.table(number))
        self._groups[number] = group
        while len(self._groups) > _GROUPS:
            self._groups.popitem(last=False)
        return group

    def record(self, place: Place) -> bytes:
        """Return a record, byte for byte. Raises UserError if the archive is damaged there."""
        group, row = place
        try:
            return self._group(group).record(row)
        except BROKEN as error:
            raise UserError(f"{self.path}: game {row + 1} of part {group + 1} is damaged ({error})") from None

    def log(self, place: Place) -> bytes | None:
        """Return the log of standard error of a game; None if it has none."""
        group, row = place
        found: bytes | None = self._group(group).value(row, "stderr_log").as_py()
        return found

    def modified_ms(self, place: Place) -> int:
        """Return when the record was modified last, in milliseconds since 1970."""
        group, row = place
        return int(self.table(group, ["modified"]).column("modified").cast(pa.int64())[row].as_py() or 0)


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
