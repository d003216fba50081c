"""Search the saved games of a folder through its index, which is created if missing and rebuilt if damaged."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.records.archive.index import OnProgress, open_index, refresh, transaction
from arbiter.records.archive.query import Query, order, where
from arbiter.records.archive.saved_game import SavedGame
from arbiter.records.archive.scan import FolderScan, scan

INDEX = ".arbiter-index.sqlite"
"""The file name of the index, in the folder it describes."""
_MEMORY = ":memory:"

_BROKEN = (sqlite3.Error, msgspec.DecodeError, TypeError)
"""What using an index can raise if it cannot be written or is damaged."""
_NOT_DAMAGE = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
}  # fmt: skip
"""Errors that do not mean the file is damaged."""

_decode = msgspec.msgpack.Decoder(SavedGame).decode


@dataclass(frozen=True, slots=True)
class NoRecord:
    """A record file that cannot be decoded, or a folder that cannot be read."""

    path: Path
    problem: str
    """Text to append to the path in a message."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search."""

    games: list[SavedGame]
    """The games that match, in order, up to the limit."""
    total: int
    """The number of games that match."""
    searched: int
    """The number of games that were searched."""
    damaged: list[NoRecord]


def search(folder: Path, query: Query, *, keep: bool = True, progress: OnProgress | None = None) -> Found:
    """Search the saved games in a folder and its subfolders. Raises UserError if the folder cannot be read.

    The index is brought up to date first. If it cannot be written, or ``keep`` is false, a temporary index in memory is used.
    """

    def run(index: Path | str) -> Found:
        with open_index(index) as db:
            scanned = refresh(db, folder, progress)
            if b"" in scanned.unreadable:
                raise UserError(f"{folder}{scanned.unreadable[b'']}")
            with transaction(db, "DEFERRED"):
                return _run(db, folder, scanned, query)

    file = folder / INDEX
    if not keep or not _may_be_kept(folder, file):
        return run(_MEMORY)
    try:
        return run(file)
    except _BROKEN as error:
        can_rebuild = _is_damage(error) and _discard(file)
    if can_rebuild:
        with contextlib.suppress(*_BROKEN):
            return run(file)
    return run(_MEMORY)


def _may_be_kept(folder: Path, file: Path) -> bool:
    """Return False for a symbolic link, which another user may have planted, and for a folder without records."""
    return not os.path.islink(file) and (os.access(file, os.F_OK) or bool(scan(folder).files))  # noqa: PTH114


def _is_damage(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF not in _NOT_DAMAGE


def _discard(file: Path) -> bool:
    try:
        file.unlink(missing_ok=True)
        file.with_name(f"{file.name}-journal").unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _run(db: sqlite3.Connection, folder: Path, scanned: FolderScan, query: Query) -> Found:
    condition, parameters = where(query)
    rows = db.execute(
        f"SELECT path, summary, seed FROM game JOIN file USING (id) WHERE {condition} ORDER BY {order(query)}",
        parameters,
    )
    games: list[SavedGame] = []
    total = 0
    for total, (path, summary, seed) in enumerate(rows, 1):
        if query.limit is None or total <= query.limit:
            found = _decode(summary)
            games.append(msgspec.structs.replace(found, record=str(folder / os.fsdecode(path)), seed=int(seed)))
    ((searched,),) = db.execute("SELECT count(*) FROM game")
    problems = {**dict(db.execute("SELECT path, problem FROM file WHERE problem IS NOT NULL")), **scanned.unreadable}
    damaged = [NoRecord(folder / os.fsdecode(path), problem) for path, problem in sorted(problems.items())]
    return Found(games, total, searched, damaged)
