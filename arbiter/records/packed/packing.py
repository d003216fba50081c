"""Pack the finished records of a folder into archives.

Theory of operation. An archive is written under a temporary name, synced, read back and compared with every record byte for
byte; only then does it get its name, and only when the name is on the disk are the records deleted. Unpacking is the mirror
image (:mod:`arbiter.records.packed.unpacking`). If the arbiter is killed in between, some games exist twice: the file counts,
and the next run continues. The folder is locked meanwhile, so that two arbiters never do this at the same time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq

from arbiter.errors import UserError
from arbiter.records.at_rest import ENDING, PREFIX, archives, logs_of
from arbiter.records.folder_lock import PARTIAL, locked, sync
from arbiter.records.packed.archive import Archive, open_archive
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.schema import schema, writing
from arbiter.records.reader import check_record, is_being_written, read_file
from arbiter.records.writer import SUFFIX

GROUP_GAMES, GROUP_BYTES = 2000, 24 << 20
"""A row group is closed at whichever comes first. Larger groups are smaller on disk and faster to search, but a game takes
longer to open; docs/archive.md has figures."""
ARCHIVE_GAMES, ARCHIVE_BYTES = 100_000, 2 << 30
"""Games, and bytes of records and logs, in one archive at most."""

Stamp = tuple[int, int, int]
"""A file was changed if its inode, its size or its modification time differs."""
OnProgress = Callable[[int, int], None]


@dataclass(slots=True)
class Packed:
    """What was done."""

    games: int = 0
    before: int = 0
    """Bytes of the records and their logs."""
    after: int = 0
    """Bytes of the archives that were written."""
    unfinished: int = 0
    """Records that stay as they are because they have no result or are being written."""
    kept: list[str] = field(default_factory=list)
    """Other files that stay as they are, each with the reason."""


def pack(folder: Path, progress: OnProgress | None = None) -> Packed:
    """Pack the finished records in a folder, not those in its subfolders. Raises UserError."""
    done = Packed()
    try:
        with locked(folder):
            names = sorted(
                name
                for name in (path.name for path in folder.iterdir())
                if name.endswith(SUFFIX) and not name.startswith(".")
            )
            _delete_packed(folder, names, done)
            start = 0
            while start < len(names):
                if progress:
                    progress(start, len(names))
                start += _pack_some(folder, names[start:], done)
    except OSError as error:
        raise UserError(f"cannot pack {folder}: {error.filename or ''} {error.strerror}") from None
    return done


def _delete_packed(folder: Path, names: list[str], done: Packed) -> None:
    """Delete the records that are packed already, and take them off the list: an earlier run was killed before it did."""
    packed = list(map(open_archive, archives(folder)))
    if not packed:
        return
    left: list[str] = []
    for name in names:
        archive, place = next(((each, at) for each in packed if (at := each.find(name)) is not None), (None, None))
        if archive is None or place is None:
            left.append(name)
        elif archive.record(place) == read_file(folder / name) and all(
            log == archive.log(place, column) for column, log in read_logs(folder / name).items()
        ):
            _delete(folder, [name])
        else:
            done.kept.append(f"{folder / name}: differs from the packed game of the same name")
    names[:] = left


@dataclass(slots=True)
class _Batch:
    """The records that go into one archive."""

    stamps: dict[str, Stamp] = field(default_factory=dict)
    size: int = 0
    mode: int = 0o666
    """The archive may be read by those who may read all its records."""
    looked_at: int = 0
    """Names that were dealt with, also those of records that stay as they are."""

    @property
    def full(self) -> bool:
        return len(self.stamps) >= ARCHIVE_GAMES or self.size >= ARCHIVE_BYTES


def _pack_some(folder: Path, names: Sequence[str], done: Packed) -> int:
    """Pack as many records as one archive takes; returns how many names that were."""
    partial = folder / f".{PREFIX}new{PARTIAL}"
    batch = _write(folder, names, partial, done)
    if not batch.stamps:
        partial.unlink(missing_ok=True)
        return batch.looked_at
    partial.chmod(batch.mode)
    sync(partial)
    compare(Archive(partial), folder)
    final = _next_name(folder)
    partial.rename(final)
    sync(folder)
    _delete(folder, [name for name, stamp in batch.stamps.items() if _stamp((folder / name).stat()) == stamp])
    done.games += len(batch.stamps)
    done.before += batch.size
    done.after += final.stat().st_size
    return batch.looked_at


def _write(folder: Path, names: Sequence[str], file: Path, done: Packed) -> _Batch:
    """Write an archive of as many records as it takes."""
    batch, rows = _Batch(), Rows()
    with pq.ParquetWriter(file, schema(), **writing()) as writer:
        for name in names:
            batch.looked_at += 1
            found = _take(folder, name, done)
            if found is None:
                continue
            data, logs, status = found
            if not rows.add(name, data, status.st_mtime_ns // 1_000_000, logs, any_bytes=False):
                _explain(folder / name, data, done)
                continue
            batch.stamps[name] = _stamp(status)
            batch.mode &= status.st_mode
            batch.size += len(data) + sum(map(len, logs.values()))
            if len(rows) >= GROUP_GAMES or rows.bytes >= GROUP_BYTES or batch.full:
                writer.write_table(rows.table())
                rows = Rows()
            if batch.full:
                break
        if len(rows):
            writer.write_table(rows.table())
    return batch


def _take(folder: Path, name: str, done: Packed) -> tuple[bytes, Mapping[str, bytes], os.stat_result] | None:
    """Read a record to be packed, and its logs; None if it must stay as it is."""
    path = folder / name
    if path.is_symlink() or not path.is_file():
        return None
    try:
        name.encode()
        status = path.stat()
        data = read_file(path)
    except UnicodeEncodeError:
        done.kept.append(f"{path}: its name is not UTF-8")
        return None
    except UserError as error:
        done.kept.append(str(error))
        return None
    if is_being_written(path):
        done.unfinished += 1
        return None
    return data, read_logs(path), status


def _explain(path: Path, data: bytes, done: Packed) -> None:
    """Note why a record stays as it is."""
    try:
        if check_record(path, data).result is None:
            done.unfinished += 1
        else:
            done.kept.append(f"{path}: a number in it is out of range")
    except UserError as error:
        done.kept.append(str(error))


def read_logs(record: Path) -> dict[str, bytes]:
    """Return the logs beside a record, by column."""
    return {name: read_file(log) for name, log in logs_of(record).items() if log.is_file() and not log.is_symlink()}


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns


def compare(archive: Archive, folder: Path) -> None:
    """Compare an archive with the files of its games. Raises UserError if anything differs; nothing is lost then."""
    for group in range(archive.groups):
        for game in archive.games(group):
            path = folder / game.name
            if game.record != read_file(path) or game.logs != read_logs(path):
                raise UserError(f"{path}: was changed while it was packed or unpacked; nothing was deleted; try again")


def _next_name(folder: Path) -> Path:
    numbers = [path.name[len(PREFIX) : -len(ENDING)] for path in archives(folder)]
    last = max((int(number) for number in numbers if number.isdecimal()), default=0)
    return folder / f"{PREFIX}{last + 1:06d}{ENDING}"


def _delete(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        for log in logs_of(folder / name).values():
            log.unlink(missing_ok=True)
        (folder / name).unlink(missing_ok=True)
    sync(folder)
