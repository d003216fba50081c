"""Pack the finished records of a folder into archives.

Theory of operation. The records of a row group are read into a table and restored from it, and must then be equal byte for
byte (:mod:`arbiter.records.packed.gathering`). An archive is written under a temporary name, synced, and read back: every row
group must have the seal of the table that was checked. Only then is it renamed, and only when the new name is on the disk are the
records deleted that have not changed since they were read. Unpacking is the mirror image
(:mod:`arbiter.records.packed.unpacking`). If the arbiter is killed in between, some games exist twice: the file counts, and the
next run continues. The folder is locked meanwhile, so that two arbiters never do this at the same time. A large folder becomes
several archives, each made by a helper process. Deleting a file may have to wait for the disk, so it is left to threads of the
arbiter's own process, while the helpers continue with the next archives.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq

from arbiter.errors import UserError, cannot
from arbiter.records.at_rest import ENDING, PREFIX, UnreadableArchive, archives
from arbiter.records.folder_lock import PARTIAL, folder_lock, sync
from arbiter.records.packed.archive import Archive, open_archive
from arbiter.records.packed.column_file import Place
from arbiter.records.packed.gathering import (
    GROUP_BYTES,
    GROUP_GAMES,
    Gathered,
    Listed,
    Stamp,
    gather,
    listing,
    row_groups,
    stamp,
)
from arbiter.records.packed.helpers import helpers
from arbiter.records.packed.schema import schema, writing
from arbiter.records.packed.seal import seal
from arbiter.records.reader import read_file
from arbiter.records.writer import SUFFIX

ARCHIVE_GAMES, ARCHIVE_BYTES = 100_000, 2 << 30
"""The most games, and bytes of records and logs, in one archive."""
LEAST_GAMES, MOST_HELPERS = GROUP_GAMES, 4
"""The fewest games per archive if there are several, and the most archives that are made at once: each takes 300 MB of memory."""
_DELETED_TOGETHER, _DELETING_THREADS = 200, 8
"""How many files a thread deletes in one go, and how many threads do so. On a file system that is mounted with ``discard``, a
thread waits for the disk most of the time."""

OnProgress = Callable[[int, int], None]


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

    def add(self, found: Gathered) -> None:
        """Count a row group."""
        self.games += found.games
        self.before += found.size
        self.unfinished += found.unfinished
        self.kept += found.kept

    def __iadd__(self, other: PackingResult) -> PackingResult:
        """Count what was packed elsewhere."""
        self.games += other.games
        self.before += other.before
        self.after += other.after
        self.unfinished += other.unfinished
        self.kept += other.kept
        return self


@dataclass(frozen=True, slots=True)
class Part:
    """The records of one archive."""

    folder: Path
    archive: str
    """Its file name."""
    records: Sequence[Listed]


def pack_folder(folder: Path, progress: OnProgress | None = None) -> PackingResult:
    """Pack the finished records in a folder, not those in its subfolders. Raises UserError.

    Raises UnreadableArchive, and packs nothing, if an archive of the folder cannot be read: it may hold games of the same names.
    """
    done = PackingResult()
    try:
        with folder_lock(folder):
            records = _delete_packed(folder, listing(folder), done)
            cores = min(MOST_HELPERS, len(os.sched_getaffinity(0)))
            parts = list(_parts(folder, records, cores))
            with helpers(min(cores, len(parts))) as mapped:
                packed = 0
                for part, (found, stamps) in zip(parts, mapped(pack_part, parts), strict=True):
                    _delete_unchanged(folder, stamps)
                    done += found
                    packed += len(part.records)
                    if progress:
                        progress(packed, len(records))
    except OSError as error:
        raise cannot(f"pack {folder}", error) from None
    except BrokenProcessPool:
        raise UserError(f"cannot pack {folder}: a helper process was killed; nothing was lost, try again") from None
    return done


def _parts(folder: Path, records: Sequence[Listed], cores: int) -> Iterator[Part]:
    """Divide records into archives, each with a share of the records that are left: the first are large and the last small, so
    that all cores finish at about the same time, with few records left to be deleted then."""
    numbers = [path.name[len(PREFIX) : -len(ENDING)] for path in archives(folder)]
    number = 1 + max((int(number) for number in numbers if number.isdecimal()), default=0)
    while records:
        share = -(-len(records) // (2 * cores))
        groups = -(-share // GROUP_GAMES)
        games = min(ARCHIVE_GAMES, max(LEAST_GAMES, groups * GROUP_GAMES))
        part = next(row_groups(records, games, ARCHIVE_BYTES))
        yield Part(folder, f"{PREFIX}{number:06d}{ENDING}", part)
        records, number = records[len(part) :], number + 1


def _delete_packed(folder: Path, records: list[Listed], done: PackingResult) -> list[Listed]:
    """Delete the records that an earlier run packed, but was killed before it deleted them. Return the others."""
    packed = list(map(open_archive, archives(folder)))
    if not packed:
        return records
    left: list[Listed] = []
    for record in records:
        path = folder / record.name
        archive, place = next(
            ((each, at) for each in packed if (at := each.find(record.name)) is not None), (None, None)
        )
        if archive is None or place is None:
            left.append(record)
        elif reason := _why_kept(folder, record, archive, place):
            done.kept.append(f"{path}: {reason}")
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


def pack_part(part: Part) -> tuple[PackingResult, dict[str, Stamp]]:
    """Pack those of some records that are finished into an archive. Also return the files that are in it now, which may be deleted
    if they have not changed since. Raises UserError and OSError."""
    folder, done = part.folder, PackingResult()
    partial = folder / f".{part.archive}{PARTIAL}"
    stamps: dict[str, Stamp] = {}
    seals: list[bytes] = []
    mode = 0o666  # readable only by users who may read all its records
    with pq.ParquetWriter(partial, schema(), **writing()) as writer:
        for group in row_groups(part.records, GROUP_GAMES, GROUP_BYTES):
            found = gather(folder, group)
            done.add(found)
            if found.table is not None:
                writer.write_table(found.table)
                stamps |= found.stamps
                seals.append(found.seal)
                mode &= found.mode
    if not seals:
        partial.unlink()
        return done, {}
    partial.chmod(mode)
    sync(partial)
    _check(partial, seals)
    if changed := [name for name, known in stamps.items() if _stamp_now(folder, name) not in (known, None)]:
        raise UserError(f"{folder / changed[0]}: was changed while it was packed; nothing was deleted; try again")
    partial.rename(folder / part.archive)
    sync(folder)
    done.after = (folder / part.archive).stat().st_size
    return done, stamps


def _check(path: Path, seals: Sequence[bytes]) -> None:
    """Read an archive back. Raises UserError unless its row groups have these seals."""
    try:
        archive = Archive(path)
        same = [seal(archive.table(group)) for group in range(archive.groups)] == list(seals)
    except UnreadableArchive:
        same = False
    if not same:
        raise UserError(f"{path.parent}: an archive cannot be read back as it was written; nothing was deleted")


def _stamp_now(folder: Path, name: str) -> Stamp | None:
    """Return the stamp of a file; None if it is gone."""
    try:
        return stamp(os.lstat(f"{folder}/{name}"))
    except FileNotFoundError:
        return None


def _delete_unchanged(folder: Path, stamps: Mapping[str, Stamp]) -> None:
    """Delete the files that still have these stamps."""
    # Logs first: a game that still has its record is packed again by the next run, one without its record is not.
    logs = [name for name in stamps if not name.endswith(SUFFIX)]
    records = [name for name in stamps if name.endswith(SUFFIX)]

    def delete(names: Iterable[str]) -> None:
        _delete(folder, (name for name in names if _stamp_now(folder, name) == stamps[name]))

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
