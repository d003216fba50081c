"""One archive, opened for reading: games by name, one row group at a time."""

from __future__ import annotations

import functools
import stat
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from arbiter.records.at_rest import unreadable
from arbiter.records.packed import columns
from arbiter.records.packed.column_file import BROKEN, ColumnFile, Place, whole
from arbiter.records.packed.columns import PackedGame
from arbiter.records.reader import check_size
from arbiter.records.summary import GameSummary


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


class Archive(ColumnFile):
    """The games of one archive. Whatever reads them raises UnreadableArchive if they are damaged."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._names: dict[int, pa.StringArray] = {}
        self._facts: tuple[int, pa.Table] | None = None
        self._records: tuple[int, pa.Table] | None = None

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

    def digests(self) -> list[str | None]:
        """Return the digests of all games."""
        return list(self.columns(["digest"]).column("digest").to_pylist())

    def summary(self, place: Place) -> GameSummary:
        """Return the summary of a game."""
        group, row = place
        if self._facts is None or self._facts[0] != group:
            self._facts = group, self.table(group, list(columns.FACTS))
        try:
            return columns.summary(self._facts[1], row, str(self.path.parent / self.name(place)))
        except BROKEN as error:
            raise self.damaged(group, error, f"game {row + 1} of ") from None

    def modified_ns(self, place: Place) -> int:
        """Return when the record was modified last, in nanoseconds since 1970."""
        group, row = place
        return int(self.table(group, ["modified"]).column("modified").cast(pa.int64())[row].as_py() or 0) * 1000

    def record(self, place: Place) -> bytes:
        """Return a record, byte for byte."""
        group, row = place
        if self._records is None or self._records[0] != group:
            self._records = group, self.table(group, ["record"])
        cell = self._records[1].column("record").slice(row, 1)
        if cell.null_count:
            raise self.damaged(group, ValueError("a game without a record"), f"game {row + 1} of ")
        check_size(self.path, pc.binary_length(cell)[0].as_py())
        found: bytes = cell[0].as_py()
        return found

    def log(self, place: Place, column: str) -> bytes | None:
        """Return a log of a game, by its column; None if the game has none."""
        group, row = place
        found: bytes | None = self.table(group, [column]).column(column)[row].as_py()
        return found

    def games(self, group: int) -> Iterator[PackedGame]:
        """Yield the games of a row group; all its columns are read, and their checksums tested."""
        table = self.table(group)
        try:
            games = list(columns.packed_games(table))
        except BROKEN as error:
            raise self.damaged(group, error) from None
        yield from games
