"""Read the files of some games for one row group of an archive. Nothing on the disk is changed."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from arbiter.errors import UserError
from arbiter.records.at_rest import LOGS
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.seal import seal
from arbiter.records.reader import MOST_BYTES, check_record, check_size
from arbiter.records.writer import SUFFIX

GROUP_GAMES, GROUP_BYTES = 2000, 24 << 20
"""A row group is closed when it reaches either. Larger groups are smaller on disk and faster to search, but a game takes
longer to open; docs/archive.md has figures."""

Stamp = tuple[int, int, int]
"""A file was changed if its inode, its size or its modification time differs."""
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


class Listed(NamedTuple):
    """A record in a folder. It is a tuple, since many are sent to helpers, and tuples are pickled faster than dataclasses."""

    name: str
    size: int
    """Bytes, with its logs."""
    logs: Mapping[str, str]
    """Names of its logs, by column."""


@dataclass(slots=True)
class Gathered:
    """The games of a row group."""

    table: pa.Table | None = None
    """None if there is no game."""
    seal: bytes = b""
    stamps: dict[str, Stamp] = field(default_factory=dict)
    """All files that were read, including logs, by name."""
    games: int = 0
    size: int = 0
    """Bytes of these files."""
    mode: int = 0o666
    """Permissions that all of them have."""
    unfinished: int = 0
    """Records that have no result or are being written."""
    kept: list[str] = field(default_factory=list)
    """Other files that stay as they are, each with the reason."""

    def add(self, table: pa.Table, games: Collection[Sequence[tuple[str, os.stat_result]]]) -> None:
        """Add the games in a table, with the files of each."""
        self.table, self.seal = table, seal(table)
        self.games = len(games)
        for files in games:
            self.mode &= files[0][1].st_mode
            for name, status in files:
                self.stamps[name] = stamp(status)
                self.size += status.st_size


def listing(folder: Path) -> list[Listed]:
    """Return the records in a folder, by name. Links and other special files are passed over."""
    sizes: dict[str, int] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(".") and entry.name.endswith((SUFFIX, *LOGS.values())):
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    sizes[entry.name] = status.st_size
    records = sorted(name for name in sizes if name.endswith(SUFFIX))
    none: dict[str, str] = {}
    if len(records) == len(sizes):
        return [Listed(name, sizes[name], none) for name in records]
    found = []
    for name in records:
        stem = name.removesuffix(SUFFIX)
        logs = {column: stem + ending for column, ending in LOGS.items() if stem + ending in sizes}
        found.append(Listed(name, sizes[name] + sum(sizes[log] for log in logs.values()), logs))
    return found


def row_groups(records: Sequence[Listed], most_games: int, most_bytes: int) -> Iterator[list[Listed]]:
    """Divide records into row groups, each closed at ``most_games`` or ``most_bytes``, whichever comes first."""
    group: list[Listed] = []
    size = 0
    for each in records:
        group.append(each)
        size += each.size
        if len(group) >= most_games or size >= most_bytes:
            yield group
            group, size = [], 0
    if group:
        yield group


def gather(folder: Path, records: Sequence[Listed]) -> Gathered:
    """Read the finished records among some files of a folder, with their logs, into a table."""
    found, rows = Gathered(), Rows(any_bytes=False)
    files: dict[str, list[tuple[str, os.stat_result]]] = {}
    for each in records:
        try:
            each.name.encode()
            data, status = _read(f"{folder}/{each.name}")
            logs = {column: _read(f"{folder}/{log}") for column, log in each.logs.items()}
        except FileNotFoundError:  # deleted meanwhile
            continue
        except BlockingIOError:
            found.unfinished += 1
            continue
        except UnicodeEncodeError:
            found.kept.append(f"{folder}/{each.name}: its name is not UTF-8")
            continue
        except (OSError, UserError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            found.kept.append(f"{folder}/{each.name}: {reason}" if reason else str(error))
            continue
        rows.add(each.name, data, status.st_mtime_ns // 1_000_000, {name: log for name, (log, _) in logs.items()})
        files[each.name] = [(each.name, status), *((each.logs[name], read) for name, (_, read) in logs.items())]
    table = rows.table()
    for game in rows.refused:
        del files[game.name]
        _explain(folder / game.name, game.record, found)
    if files:
        found.add(table, files.values())
    return found


def _read(path: str) -> tuple[bytes, os.stat_result]:
    """Read a file. Raises OSError, BlockingIOError if an arbiter is writing it, and UserError if it is too large."""
    file = os.open(path, _READ)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a file system without locks
            pass
        status = os.fstat(file)
        if status.st_size > MOST_BYTES:
            check_size(Path(path), status.st_size)
        data = os.read(file, status.st_size + 1)
        while len(data) < status.st_size and (more := os.read(file, status.st_size)):
            data += more
        return data, status
    finally:
        os.close(file)


def stamp(status: os.stat_result) -> Stamp:
    """Return the values by which a changed file is recognised."""
    return status.st_ino, status.st_size, status.st_mtime_ns


def _explain(path: Path, data: bytes, found: Gathered) -> None:
    """Note why a record stays as it is."""
    try:
        if check_record(path, data).result is None:
            found.unfinished += 1
        else:
            found.kept.append(f"{path}: a number in it is out of range")
    except UserError as error:
        found.kept.append(str(error))
