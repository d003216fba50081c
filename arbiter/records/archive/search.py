"""Searching the saved games of a folder through its index, which is made where it is missing and made anew where damaged."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.records.archive.index import Progress, opened, refresh, transaction
from arbiter.records.archive.query import Query, order, where
from arbiter.records.archive.saved_game import SavedGame
from arbiter.records.archive.scan import Tree, scan

INDEX = ".arbiter-index.sqlite"
"""The index of a folder, in that folder."""
_MEMORY = ":memory:"

_BROKEN = (sqlite3.Error, msgspec.DecodeError, TypeError)
"""What an index can raise that cannot be written, or holds other things than were put into it."""
_NOT_DAMAGE = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
}  # fmt: skip
"""Errors that say nothing about what is in the file."""

_decode = msgspec.msgpack.Decoder(SavedGame).decode


@dataclass(frozen=True, slots=True)
class NoRecord:
    """A file with the name of a record that cannot be read as one, or a folder that cannot be looked into."""

    path: Path
    problem: str
    """To be put after the path."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to."""

    games: list[SavedGame]
    """Those that fit, in order, as many as were asked for."""
    total: int
    """How many fit."""
    searched: int
    """How many saved games there are."""
    damaged: list[NoRecord]


def search(folder: Path, query: Query, *, keep: bool = True, progress: Progress | None = None) -> Found:
    """Saved games in a folder and all below it.

    The index is brought up to date first. Where it cannot be kept in a file, or is not to be, it is made in memory
    for this once. Raises UserError if the folder cannot be looked into.
    """

    def answer(place: Path | str) -> Found:
        with opened(place) as db:
            tree = refresh(db, folder, progress)
            if b"" in tree.closed:
                raise UserError(f"{folder}{tree.closed[b'']}")
            with transaction(db, "DEFERRED"):
                return _answer(db, folder, tree, query)

    file = folder / INDEX
    if not keep or not _may_be_kept(folder, file):
        return answer(_MEMORY)
    try:
        return answer(file)
    except _BROKEN as error:
        mendable = _is_damage(error) and _discard(file)
    if mendable:
        with contextlib.suppress(*_BROKEN):
            return answer(file)
    return answer(_MEMORY)


def _may_be_kept(folder: Path, file: Path) -> bool:
    """Not through a link somebody planted, and not for the sake of nothing."""
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


def _answer(db: sqlite3.Connection, folder: Path, tree: Tree, query: Query) -> Found:
    condition, parameters = where(query)
    rows = db.execute(
        f"SELECT path, summary FROM game JOIN file USING (id) WHERE {condition} ORDER BY {order(query)}", parameters
    )
    games: list[SavedGame] = []
    total = 0
    for total, (path, summary) in enumerate(rows, 1):
        if query.limit is None or total <= query.limit:
            games.append(msgspec.structs.replace(_decode(summary), record=str(folder / os.fsdecode(path))))
    ((searched,),) = db.execute("SELECT count(*) FROM game")
    problems = {**dict(db.execute("SELECT path, problem FROM file WHERE problem IS NOT NULL")), **tree.closed}
    damaged = [NoRecord(folder / os.fsdecode(path), problem) for path, problem in sorted(problems.items())]
    return Found(games, total, searched, damaged)
