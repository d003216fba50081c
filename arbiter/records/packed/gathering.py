"""Read the files of some games for one row group of an archive. Nothing on the disk is changed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from arbiter.errors import UserError
from arbiter.records.at_rest import LOGS
from arbiter.records.packed import columns
from arbiter.records.packed.columns import PackedGame, Row
from arbiter.records.reader import check_record, check_size
from arbiter.records.writer import SUFFIX

GROUP_GAMES, GROUP_BYTES = 1000, 16 << 20
"""A row group is closed when it reaches either. Larger groups are smaller on disk and faster to search, but a game takes
longer to open; docs/archive.md has figures."""

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


class Listed(NamedTuple):
    """A record in a folder."""

    name: str
    size: int
    """Bytes, with its logs."""
    logs: Mapping[str, str]
    """Names of its logs, by column."""


@dataclass(slots=True)
class Gathered:
    """The games of a row group."""

    table: pa.Table
    names: set[str] = field(default_factory=set)
    """The files of the records in the table."""
    size: int = 0
    """Bytes of these files and their logs."""
    mode: int = 0o666
    """Permissions that all of them have."""
    unfinished: int = 0
    """Records that have no result or are being written."""
    kept: list[str] = field(default_factory=list)
    """Other files that stay as they are, each with the reason."""


def listing(folder: Path) -> list[Listed]:
    """Return the records in a folder, by name. Links and other special files are passed over."""
    sizes: dict[str, int] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(".") and entry.name.endswith((SUFFIX, *LOGS.values())):
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    sizes[entry.name] = status.st_size
    found = []
    for name in sorted(each for each in sizes if each.endswith(SUFFIX)):
        stem = name.removesuffix(SUFFIX)
        logs = {column: stem + ending for column, ending in LOGS.items() if stem + ending in sizes}
        found.append(Listed(name, sizes[name] + sum(sizes[log] for log in logs.values()), logs))
    return found


def row_groups(records: Sequence[Listed], most_games: int, most_bytes: int) -> Iterator[list[Listed]]:
    """Divide records into groups, each closed at ``most_games`` or ``most_bytes``, whichever comes first."""
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
    found, rows = Gathered(columns.table([])), list[Row]()
    for each in records:
        try:
            row = _row(folder, each, found)
        except FileNotFoundError:  # deleted meanwhile
            continue
        except BlockingIOError:
            found.unfinished += 1
        except UnicodeEncodeError:
            found.kept.append(f"{folder}/{each.name}: its name is not UTF-8")
        except OSError as error:
            found.kept.append(f"{folder}/{each.name}: {error.strerror}")
        except UserError as error:
            found.kept.append(str(error))
        else:
            if row is None:
                found.unfinished += 1
            else:
                rows.append(row)
    try:
        found.table = columns.table(rows)
    except OverflowError:
        rows = [row for row in rows if _fits(folder, row, found)]
        found.table = columns.table(rows)
    found.names = {row["name"] for row in rows}
    return found


def _row(folder: Path, listed: Listed, found: Gathered) -> Row | None:
    """Return the row of a game; None if it has no result. Raises OSError and UserError."""
    listed.name.encode()
    data, status = read(f"{folder}/{listed.name}")
    record = check_record(folder / listed.name, data)
    if record.result is None:
        return None
    logs = {column: read(f"{folder}/{log}")[0] for column, log in listed.logs.items()}
    found.mode &= status.st_mode
    found.size += listed.size
    return columns.row(PackedGame(listed.name, data, logs, status.st_mtime_ns // 1000), record)


def _fits(folder: Path, row: Row, found: Gathered) -> bool:
    """Return whether the numbers of a game fit their columns; if not, note that its files are kept."""
    with contextlib.suppress(OverflowError):
        columns.table([row])
        return True
    found.kept.append(f"{folder}/{row['name']}: a number in it is out of range")
    return False


def read(path: str) -> tuple[bytes, os.stat_result]:
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
        check_size(Path(path), status.st_size)
        data = os.read(file, status.st_size + 1)
        while len(data) < status.st_size and (more := os.read(file, status.st_size)):
            data += more
        return data, status
    finally:
        os.close(file)
