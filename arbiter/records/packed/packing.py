"""Pack the finished records of a folder into archives.

Theory of operation. An archive is written under a temporary name, a row group at a time (:mod:`arbiter.records.packed.gathering`
reads the next one meanwhile), and synced. Then all of it is read back, which tests the checksum of every page, and the bytes of
every game are compared with its files. Only then is it renamed, and only when the new name is on the disk are the files deleted
that have not changed since they were compared. Unpacking is the mirror image (:mod:`arbiter.records.packed.unpacking`). If the
arbiter is killed in between, some games exist twice: the file counts, and the next run continues. The folder is locked
meanwhile, so that two arbiters never do this at the same time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq

from arbiter.errors import UserError, cannot
from arbiter.output_files import PARTIAL, sync
from arbiter.records.at_rest import ENDING, PREFIX, UnreadableArchive, archives, logs_of
from arbiter.records.folder_lock import folder_lock
from arbiter.records.packed.archive import Archive, open_archive
from arbiter.records.packed.column_file import Place
from arbiter.records.packed.columns import PackedGame, schema, writing
from arbiter.records.packed.gathering import GROUP_BYTES, GROUP_GAMES, Listed, gather, listing, read, row_groups
from arbiter.records.packed.read_ahead import read_ahead
from arbiter.records.reader import read_file
from arbiter.records.writer import SUFFIX

ARCHIVE_GAMES, ARCHIVE_BYTES = 100_000, 2 << 30
"""The most games, and bytes of records and logs, in one archive."""
_DELETED_TOGETHER, _DELETING_THREADS = 200, 8
"""How many files a thread deletes in one go, and how many threads do so. On a file system that is mounted with ``discard``, a
thread waits for the disk most of the time."""

OnProgress = Callable[[int, int], None]
Stamp = tuple[int, int, int]
"""A file was changed if its inode, its size or its modification time differs."""


@dataclass(slots=True)
class PackingResult:
    """The result of packing."""

    games: int = 0
    before: int = 0
    """Bytes of the records and their logs."""
    after: int = 0
    """Bytes of the archives that were written."""
    unfinished: int = 0
    """Records that stay as they are because they have no result or are being written."""
    kept: list[str] = field(default_factory=list)
    """Other files that stay as they are, each with the reason."""

    def __iadd__(self, other: PackingResult) -> PackingResult:
        """Count what was packed elsewhere."""
        self.games += other.games
        self.before += other.before
        self.after += other.after
        self.unfinished += other.unfinished
        self.kept += other.kept
        return self


def pack_folder(folder: Path, progress: OnProgress | None = None) -> PackingResult:
    """Pack the finished records in a folder, not those in its subfolders. Raises UserError.

    Raises UnreadableArchive, and packs nothing, if an archive of the folder cannot be read: it may hold games of the same names.
    """
    done = PackingResult()
    try:
        with folder_lock(folder):
            records = _delete_packed(folder, listing(folder), done)
            packed = 0
            for part in row_groups(records, ARCHIVE_GAMES, ARCHIVE_BYTES):
                _delete_unchanged(folder, _pack(folder, part, done))
                packed += len(part)
                if progress:
                    progress(packed, len(records))
    except OSError as error:
        raise cannot(f"pack {folder}", error) from None
    return done


def _pack(folder: Path, records: Sequence[Listed], done: PackingResult) -> dict[str, Stamp]:
    """Pack those of some records that are finished into a new archive. Return the files that are in it now. Raises UserError
    and OSError."""
    numbers = [path.name[len(PREFIX) : -len(ENDING)] for path in archives(folder)]
    number = 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)
    path = folder / f"{PREFIX}{number:06d}{ENDING}"
    partly = folder / f".{path.name}{PARTIAL}"
    names: set[str] = set()
    mode = 0o666  # readable only by users who may read all its records
    with pq.ParquetWriter(partly, schema(), **writing()) as writer:
        for found in read_ahead(partial(gather, folder), row_groups(records, GROUP_GAMES, GROUP_BYTES)):
            done += PackingResult(len(found.names), found.size, 0, found.unfinished, found.kept)
            names |= found.names
            mode &= found.mode
            if found.names:
                writer.write_table(found.table)
    if not names:
        partly.unlink()
        return {}
    stamps: dict[str, Stamp] = {}

    def same(archive: Archive) -> bool:
        for game in (each for group in range(archive.groups) for each in archive.games(group)):
            stamps.update(_same_files(folder, game))
        return sorted(archive.names()) == sorted(names)

    put_in_place(partly, path, mode, same)
    done.after += path.stat().st_size
    return stamps


def put_in_place(partly: Path, path: Path, mode: int, same: Callable[[Archive], bool]) -> None:
    """Rename an archive from its temporary name, after it was read back and found to be as it should. Raises UserError."""
    partly.chmod(mode)
    sync(partly)
    try:
        is_same = same(Archive(partly))
    except UnreadableArchive:
        is_same = False
    if not is_same:
        raise UserError(f"{path}: cannot be read back as it was written; nothing was deleted")
    partly.rename(path)
    sync(path.parent)


def _same_files(folder: Path, game: PackedGame) -> Iterator[tuple[str, Stamp]]:
    """Yield the names and stamps of the files of a game. Raises UserError if one of them differs."""
    logs = logs_of(folder / game.name)
    for name, data in {game.name: game.record, **{logs[kind].name: log for kind, log in game.logs.items()}}.items():
        with contextlib.suppress(FileNotFoundError):
            found, status = read(f"{folder}/{name}")
            if found != data:
                raise UserError(f"{folder / name}: was changed while it was packed; nothing was deleted; try again")
            yield name, _stamp(status)


def _delete_packed(folder: Path, records: list[Listed], done: PackingResult) -> list[Listed]:
    """Delete the records that an earlier run packed, but was killed before it deleted them. Return the others."""
    packed = list(map(open_archive, archives(folder)))
    if not packed:
        return records
    left: list[Listed] = []
    for record in records:
        places = ((each, at) for each in packed if (at := each.find(record.name)) is not None)
        archive, place = next(places, (None, None))
        if archive is None or place is None:
            left.append(record)
        elif reason := _why_kept(folder, record, archive, place):
            done.kept.append(f"{folder / record.name}: {reason}")
        else:
            _delete(folder, [*record.logs.values(), record.name])
    return left


def _why_kept(folder: Path, record: Listed, archive: Archive, place: Place) -> str:
    """Return why a record cannot be deleted although there is a packed game of its name; empty if it can."""
    try:
        same = archive.record(place) == read_file(folder / record.name) and all(
            archive.log(place, column) == read_file(folder / log) for column, log in record.logs.items()
        )
    except UnreadableArchive as error:
        return f"the packed game of the same name cannot be read: {error}"
    return "" if same else "differs from the packed game of the same name"


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _delete_unchanged(folder: Path, stamps: Mapping[str, Stamp]) -> None:
    """Delete the files that still have these stamps."""
    # Logs first: a game that still has its record is packed again by the next run, one without its record is not.
    logs = [name for name in stamps if not name.endswith(SUFFIX)]
    records = [name for name in stamps if name.endswith(SUFFIX)]

    def delete(names: Iterable[str]) -> None:
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                if _stamp(os.lstat(f"{folder}/{name}")) == stamps[name]:
                    _delete(folder, [name])

    with ThreadPoolExecutor(_DELETING_THREADS) as pool:
        for names in (logs, records):
            starts = range(0, len(names), _DELETED_TOGETHER)
            list(pool.map(delete, [names[start : start + _DELETED_TOGETHER] for start in starts]))


def _delete(folder: Path, names: Iterable[str]) -> None:
    """Delete files. There is no need to wait for the disk: a file that comes back after a power failure is deleted by the
    next run."""
    for name in names:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(f"{folder}/{name}")  # noqa: PTH108 - a third of the time of Path.unlink
