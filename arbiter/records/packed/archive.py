"""One archive, opened for reading: games by name, one row group at a time."""

from __future__ import annotations

import functools
import stat
from bisect import bisect_right
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arbiter.errors import UserError
from arbiter.records.at_rest import LOGS
from arbiter.records.packed.arrays import whole
from arbiter.records.packed.bounded_memory import bounded_memory
from arbiter.records.packed.restore import UNFIT, records
from arbiter.records.packed.schema import COLUMNS, FACTS, VERSION, VERSION_KEY
from arbiter.records.reader import check_size

Place = tuple[int, int]
"""Row group, and row in it."""
_GROUPS = 2
"""Row groups that are kept in memory."""
_MOST_GAMES = 1_000_000
"""Ten times as many as the arbiter packs into one archive. A row can take a fraction of a bit in the file, but not in memory."""
_MOST_BYTES = 1 << 30
"""The largest row group when it is unpacked: the arbiter packs 24 MB of records into one, and their logs."""
BROKEN = (*UNFIT, OSError, MemoryError)
"""Exceptions raised by reading an archive that is damaged or takes too much memory."""


@dataclass(frozen=True, slots=True)
class PackedGame:
    """Everything that an archive has of a game."""

    name: str
    record: bytes
    logs: dict[str, bytes]
    """By column."""
    modified_ms: int


def open_archive(path: Path) -> Archive:
    """Open an archive, or return it as it was opened before if it has not changed. Raises UserError."""
    try:
        status = path.stat()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode):  # opening a FIFO would block until another process writes to it
        raise UserError(f"{path}: not an archive of saved games, but a folder, a device or a named pipe")
    return _opened(path, (status.st_ino, status.st_size, status.st_mtime_ns))


@functools.lru_cache(256)
def _opened(path: Path, _: tuple[int, int, int]) -> Archive:
    return Archive(path)


class _Group:
    """A row group in memory. The first record is restored alone; the second request restores all of them."""

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
        if len(self) > _MOST_GAMES:
            raise UserError(f"{path}: {len(self)} games, but an archive has at most {_MOST_GAMES}")
        self._names: dict[int, pa.StringArray] = {}
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
            # The metadata is not trusted, but if the size it states is already too large, there is no need to try.
            if self._file.metadata.row_group(group).total_byte_size > _MOST_BYTES:
                raise MemoryError
            with bounded_memory():
                return self._file.read_row_group(group, columns=columns)
        except BROKEN as error:
            raise UserError(f"{self.path}: part {group + 1} is damaged ({_first_line(error)})") from None

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

    def name(self, place: Place) -> str:
        """Return the file name of a game."""
        return str(self._names_of(place[0])[place[1]].as_py())

    def columns(self, columns: Sequence[str]) -> pa.Table:
        """Return some columns of all rows. Raises UserError if the archive is damaged."""
        try:
            with bounded_memory():
                return self._file.read(columns=columns).combine_chunks()
        except BROKEN as error:
            raise UserError(f"{self.path}: damaged ({_first_line(error)})") from None

    def distinct(self, column: str) -> set[str]:
        """Return the texts in a column, or in its lists. Raises UserError if the archive is damaged."""
        values = self.columns([column]).column(column)
        flat = pc.list_flatten(values) if pa.types.is_list(values.type) else values
        return {text for text in pc.unique(flat).to_pylist() if text is not None}

    def digests(self) -> list[bytes | None]:
        """Return the digests of all games."""
        return list(self.columns(["digest"]).column("digest").to_pylist())

    def facts(self, place: Place) -> dict[str, Any]:
        """Return what the list of games shows about a game; times in milliseconds since 1970."""
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
            yield from self._names_of(group).to_pylist()

    def _names_of(self, group: int) -> pa.StringArray:
        if group not in self._names:
            self._names[group] = whole(self.table(group, ["name"]).column("name"))
        return self._names[group]

    @functools.cached_property
    def _ranges(self) -> list[tuple[str, str]]:
        """The first and the last name in each row group."""
        rows = map(self._file.metadata.row_group, range(self.groups))
        known = [row.column(self._name_column).statistics for row in rows]
        return [(each.min, each.max) if each is not None and each.has_min_max else ("", "\U0010ffff") for each in known]

    @property
    def first_name(self) -> str:
        """The first name in the archive, in sorted order."""
        return min((first for first, _ in self._ranges), default="")

    def find(self, name: str) -> Place | None:
        """Return where the game with this file name is; None if it is not here."""
        for group, (first, last) in enumerate(self._ranges):
            if first <= name <= last:
                row = self._names_of(group).index(name).as_py()
                if row >= 0:
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
            with bounded_memory():
                found = self._group(group).record(row)
        except BROKEN as error:
            raise UserError(
                f"{self.path}: game {row + 1} of part {group + 1} is damaged ({_first_line(error)})"
            ) from None
        check_size(self.path, len(found))
        return found

    def log(self, place: Place, column: str) -> bytes | None:
        """Return a log of a game, by its column; None if the game has none. Raises UserError if the archive is damaged."""
        group, row = place
        found: bytes | None = self.table(group, [column]).column(column)[row].as_py()
        return found

    def games(self, group: int) -> Iterator[PackedGame]:
        """Yield the games of a row group, with everything that it has of them. Raises UserError if it is damaged."""
        table = self.table(group)
        try:
            with bounded_memory():
                games = list(_games(table))
        except BROKEN as error:
            raise UserError(f"{self.path}: part {group + 1} is damaged ({_first_line(error)})") from None
        yield from games

    def modified_ms(self, place: Place) -> int:
        """Return when the record was modified last, in milliseconds since 1970."""
        group, row = place
        return int(self.table(group, ["modified"]).column("modified").cast(pa.int64())[row].as_py() or 0)


def _games(table: pa.Table) -> Iterator[PackedGame]:
    moments = table.column("modified").cast(pa.int64()).to_pylist()
    logs = zip(*(table.column(name).to_pylist() for name in LOGS), strict=True)
    names = table.column("name").to_pylist()
    for name, data, own, ms in zip(names, records(table), logs, moments, strict=True):
        yield PackedGame(
            name, data, {kind: log for kind, log in zip(LOGS, own, strict=True) if log is not None}, ms or 0
        )


def _first_line(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "it takes too much memory"
    return (str(error).splitlines() or [type(error).__name__])[0]
