"""One archive, opened for reading: games by name, one row group at a time."""

from __future__ import annotations

import functools
import stat
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from arbiter.records.at_rest import LOGS, unreadable
from arbiter.records.packed.arrays import whole
from arbiter.records.packed.bounded_memory import bounded_memory
from arbiter.records.packed.column_file import BROKEN, ColumnFile, Place
from arbiter.records.packed.restore import records
from arbiter.records.packed.schema import FACTS
from arbiter.records.reader import check_size

_GROUPS = 2
"""Row groups that are kept in memory."""


@dataclass(frozen=True, slots=True)
class PackedGame:
    """Everything that an archive has of a game."""

    name: str
    record: bytes
    logs: dict[str, bytes]
    """By column."""
    modified_ms: int


def open_archive(path: Path) -> Archive:
    """Open an archive, or return it as it was opened before if it has not changed. Raises UnreadableArchive."""
    try:
        status = path.stat()
    except OSError as error:
        raise unreadable(path, str(error.strerror), "") from None
    if not stat.S_ISREG(status.st_mode):  # opening a FIFO would block until another process writes to it
        raise unreadable(path, "not an archive of saved games, but a folder, a device or a named pipe", "move it away")
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


class Archive(ColumnFile):
    """The games of one archive. Whatever reads them raises UnreadableArchive if they are damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._names: dict[int, pa.StringArray] = {}
        self._facts: tuple[int, pa.Table] | None = None
        self._groups: OrderedDict[int, _Group] = OrderedDict()

    def name(self, place: Place) -> str:
        """Return the file name of a game."""
        return str(self._names_of(place[0])[place[1]].as_py())

    def names(self) -> Iterator[str]:
        """Yield the file names of all games, in the order of the rows."""
        for group in range(self.groups):
            yield from self._names_of(group).to_pylist()

    def _names_of(self, group: int) -> pa.StringArray:
        if group not in self._names:
            names = whole(self.table(group, ["name"]).column("name"))
            if names.null_count:
                raise self.damaged(group, ValueError("a game without a name"))
            self._names[group] = names
        return self._names[group]

    @functools.cached_property
    def _ranges(self) -> list[tuple[str, str]]:
        return list(map(self.name_range, range(self.groups)))

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

    def modified_ms(self, place: Place) -> int:
        """Return when the record was modified last, in milliseconds since 1970."""
        group, row = place
        return int(self.table(group, ["modified"]).column("modified").cast(pa.int64())[row].as_py() or 0)

    def record(self, place: Place) -> bytes:
        """Return a record, byte for byte."""
        group, row = place
        try:
            with bounded_memory():
                found = self._group(group).record(row)
        except BROKEN as error:
            raise self.damaged(group, error, f"game {row + 1} of ") from None
        check_size(self.path, len(found))
        return found

    def _group(self, number: int) -> _Group:
        group = self._groups.pop(number, None) or _Group(self.table(number))
        self._groups[number] = group
        while len(self._groups) > _GROUPS:
            self._groups.popitem(last=False)
        return group

    def log(self, place: Place, column: str) -> bytes | None:
        """Return a log of a game, by its column; None if the game has none."""
        group, row = place
        found: bytes | None = self.table(group, [column]).column(column)[row].as_py()
        return found

    def games(self, group: int) -> Iterator[PackedGame]:
        """Yield the games of a row group, with everything that it has of them."""
        table = self.table(group)
        try:
            with bounded_memory():
                games = list(_games(table))
        except BROKEN as error:
            raise self.damaged(group, error) from None
        yield from games


def _games(table: pa.Table) -> Iterator[PackedGame]:
    moments = table.column("modified").cast(pa.int64()).to_pylist()
    logs = zip(*(table.column(name).to_pylist() for name in LOGS), strict=True)
    names = table.column("name").to_pylist()
    if None in names:
        raise ValueError("a game without a name")
    for name, data, own, ms in zip(names, records(table), logs, moments, strict=True):
        yield PackedGame(
            name, data, {kind: log for kind, log in zip(LOGS, own, strict=True) if log is not None}, ms or 0
        )
