"""Pack the finished records of a folder into an archive, and unpack them.

Theory of operation. An archive is written under a temporary name, synced, read back and compared with every record byte for
byte; only then does it get its name, and only when the name is on the disk are the records deleted. Unpacking is the
mirror image: the records are written under temporary names, get their names, are read back and compared, and then the archive
is deleted. Whoever is killed in between leaves games that are there twice, and the file counts; the next run goes on.
The folder itself is locked meanwhile, so that two arbiters never do this at the same time.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from arbiter.errors import UserError
from arbiter.records.at_rest import ENDING, LOG_SUFFIX, PREFIX, archives
from arbiter.records.packed.archive import BROKEN, Archive, open_archive
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.restore import records
from arbiter.records.packed.schema import schema, writing
from arbiter.records.reader import check_record, is_being_written, read_file
from arbiter.records.writer import SUFFIX

GROUP_GAMES, GROUP_BYTES = 2000, 32 << 20
"""A row group is closed at whichever comes first. Larger groups are smaller on disk, but a game takes longer to open."""
ARCHIVE_GAMES, ARCHIVE_BYTES = 100_000, 2 << 30
"""Games, and bytes of records, in one archive at most."""
_PARTIAL = ".partial"

Stamp = tuple[int, int, int]
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


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other arbiters that pack or unpack it. Raises UserError."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{folder} is in use: another arbiter packs or unpacks it") from None
        except OSError:  # a file system without locks
            pass
        _clear_away(folder)
        yield
    finally:
        os.close(handle)


def _clear_away(folder: Path) -> None:
    """Remove what a run that was killed has left under temporary names."""
    for name in [path.name for path in folder.iterdir()]:
        if name.startswith(".") and name.endswith(_PARTIAL):
            (folder / name).unlink(missing_ok=True)


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
    if not archives(folder):
        return
    for name in list(names):
        for archive in map(open_archive, archives(folder)):
            place = archive.find(name)
            if place is None:
                continue
            path, log = folder / name, _log(folder, name)
            if archive.record(place) == read_file(path) and log in (None, archive.log(place)):
                _delete(folder, [name])
            else:
                done.kept.append(f"{path}: differs from the packed game of the same name")
            names.remove(name)
            break


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
    partial = folder / f".{PREFIX}new{_PARTIAL}"
    batch = _write(folder, names, partial, done)
    if not batch.stamps:
        partial.unlink(missing_ok=True)
        return batch.looked_at
    partial.chmod(batch.mode)
    _sync(partial)
    _compare(partial, folder)
    final = _next_name(folder)
    partial.rename(final)
    _sync(folder)
    _delete(folder, [name for name, stamp in batch.stamps.items() if _stamp((folder / name).stat()) == stamp])
    done.games += len(batch.stamps)
    done.before += batch.size
    done.after += final.stat().st_size
    return batch.looked_at


def _write(folder: Path, names: Sequence[str], file: Path, done: Packed) -> _Batch:
    """Write an archive of as many records as it takes."""
    batch, rows = _Batch(), Rows()
    with _writer(file) as writer:
        for name in names:
            batch.looked_at += 1
            found = _take(folder, name, done)
            if found is None:
                continue
            data, log, status = found
            if not rows.add(name, data, status.st_mtime_ns // 1_000_000, log, any_bytes=False):
                done.kept.append(f"{folder / name}: a number in it is out of range")
                continue
            batch.stamps[name] = _stamp(status)
            batch.mode &= status.st_mode
            batch.size += len(data) + len(log or b"")
            if len(rows) >= GROUP_GAMES or rows.bytes >= GROUP_BYTES or batch.full:
                writer.write_table(rows.table())
                rows = Rows()
            if batch.full:
                break
        if len(rows):
            writer.write_table(rows.table())
    return batch


def _writer(path: Path) -> pq.ParquetWriter:
    return pq.ParquetWriter(path, schema(), **writing())


def _take(folder: Path, name: str, done: Packed) -> tuple[bytes, bytes | None, os.stat_result] | None:
    """Read a record to be packed, and its log; None if it must stay as it is."""
    path = folder / name
    if path.is_symlink() or not path.is_file():
        return None
    try:
        name.encode()
        status = path.stat()
        data = read_file(path)
        finished = check_record(path, data).result is not None
    except UnicodeEncodeError:
        done.kept.append(f"{path}: its name is not UTF-8")
        return None
    except UserError as error:
        done.kept.append(str(error))
        return None
    if not finished or is_being_written(path):
        done.unfinished += 1
        return None
    return data, _log(folder, name), status


def _log(folder: Path, name: str) -> bytes | None:
    path = folder / (name.removesuffix(SUFFIX) + LOG_SUFFIX)
    return read_file(path) if path.is_file() and not path.is_symlink() else None


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _compare(partial: Path, folder: Path) -> None:
    """Read an archive back and compare it with the files. Raises UserError if anything differs; nothing is lost then."""
    archive = Archive(partial)
    for group in range(archive.groups):
        table = archive.table(group)
        logs = table.column("stderr_log").to_pylist()
        try:
            for name, data, log in zip(table.column("name").to_pylist(), records(table), logs, strict=True):
                if data != read_file(folder / name) or log != _log(folder, name):
                    raise UserError(f"{folder / name}: was changed while it was packed; pack again")
        except BROKEN as error:
            raise UserError(f"{partial}: cannot be read back ({error}); no record was deleted") from None


def _next_name(folder: Path) -> Path:
    numbers = [path.name[len(PREFIX) : -len(ENDING)] for path in archives(folder)]
    last = max((int(number) for number in numbers if number.isdecimal()), default=0)
    return folder / f"{PREFIX}{last + 1:06d}{ENDING}"


def _delete(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        (folder / (name.removesuffix(SUFFIX) + LOG_SUFFIX)).unlink(missing_ok=True)
        (folder / name).unlink(missing_ok=True)
    _sync(folder)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def unpack(folder: Path, progress: OnProgress | None = None) -> int:
    """Make the packed games of a folder files again; returns how many there were. Raises UserError."""
    games = 0
    try:
        with locked(folder):
            for archive in map(open_archive, archives(folder)):
                games += _unpack_one(folder, archive, progress)
    except OSError as error:
        raise UserError(f"cannot unpack {folder}: {error.filename or ''} {error.strerror}") from None
    return games


def _unpack_one(folder: Path, archive: Archive, progress: OnProgress | None) -> int:
    mode = archive.path.stat().st_mode & 0o666
    games = 0
    for group in range(archive.groups):
        table = archive.table(group)
        moments = table.column("modified").cast(pa.int64()).to_pylist()
        logs = table.column("stderr_log").to_pylist()
        for name, data, log, ms in zip(table.column("name").to_pylist(), records(table), logs, moments, strict=True):
            _check_name(archive.path, name)
            if log is not None:
                _restore(folder / (name.removesuffix(SUFFIX) + LOG_SUFFIX), log, ms, mode)
            _restore(folder / name, data, ms, mode)
            games += 1
            if progress and games % 500 == 0:
                progress(games, len(archive))
    os.sync()
    _compare(archive.path, folder)
    archive.path.unlink()
    _sync(folder)
    return games


def _check_name(archive: Path, name: str) -> None:
    """Raise UserError for a name that would lead out of the folder: an archive may come from a stranger."""
    if "/" in name or "\0" in name or name.startswith(".") or not name.endswith(SUFFIX):
        raise UserError(f"{archive}: {name!r} cannot be the name of a saved game")


def _restore(path: Path, data: bytes, modified_ms: int, mode: int) -> None:
    """Write a file that must not exist with other contents. Raises UserError."""
    if os.path.lexists(path):
        if read_file(path) != data:
            raise UserError(f"{path}: differs from the packed game of the same name; move it away and unpack again")
        return
    partial = path.with_name(f".{path.name}{_PARTIAL}")
    handle = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.utime(partial, ns=(modified_ms * 1_000_000, modified_ms * 1_000_000))
    partial.rename(path)
