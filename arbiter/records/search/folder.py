"""Search the saved games of a folder through its index, which is created if missing and rebuilt if damaged."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.search.index import (
    OnProgress,
    has_foreign_journal,
    indexed_games,
    open_index,
    refresh,
    seats_that_said,
    transaction,
)
from arbiter.records.search.kibitz import fold
from arbiter.records.search.query import UNKNOWN, Hit, Query
from arbiter.records.search.scan import FolderScan, scan
from arbiter.records.summary import GameSummary

INDEX = ".arbiter-index.sqlite"
"""The file name of the index, in the folder it describes."""
_MEMORY = ":memory:"

_BROKEN = (sqlite3.Error, msgspec.DecodeError, TypeError)
"""Exceptions of an index that is damaged or cannot be written."""
_NOT_DAMAGE = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY,
}  # fmt: skip
"""Errors that do not mean the file is damaged."""


@dataclass(frozen=True, slots=True)
class NoRecord:
    """A record file or an archive that cannot be decoded, or a folder that cannot be read."""

    path: Path
    problem: str
    """Text to append to the path in a message."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search."""

    games: list[GameSummary]
    """The games that match, in order, up to the limit."""
    total: int
    """The number of games that match."""
    searched: int
    """The number of games that were searched."""
    damaged: list[NoRecord]


def search(
    folder: Path, query: Query, *, keep: bool = True, progress: OnProgress | None = None, packed: bool = True
) -> Found:
    """Search the saved games in a folder and its subfolders. Raises UserError if the folder cannot be read.

    Without ``packed``, only those that are files.

    The index is brought up to date first. If it cannot be written, or ``keep`` is false, a temporary index in memory is used.
    """

    return _with_index(
        folder, lambda db, scanned: _search(db, folder, scanned, query, packed=packed), keep=keep, progress=progress
    )


def known_names(folder: Path, *, keep: bool = True) -> tuple[set[str], set[str]]:
    """Return the names of all agents and of all protocols in the saved games of a folder. Raises UserError."""

    def run(db: sqlite3.Connection, scanned: FolderScan) -> tuple[set[str], set[str]]:
        agents, protocols = set[str](), set[str]()
        for _, _, game in indexed_games(db):
            agents.update(game.seats)
            protocols.add(game.protocol)
        for path in sorted(scanned.archives):
            with contextlib.suppress(UserError):  # the search has reported it
                archive = at_rest.opened(folder / os.fsdecode(path))
                agents |= archive.distinct("agents")
                protocols |= archive.distinct("protocol")
        return agents, protocols

    return _with_index(folder, run, keep=keep)


T = TypeVar("T")


def _with_index(
    folder: Path,
    work: Callable[[sqlite3.Connection, FolderScan], T],
    *,
    keep: bool,
    progress: OnProgress | None = None,
) -> T:
    """Call a function with the index of a folder, brought up to date; rebuild it first if it is damaged. Raises UserError."""

    def run(index: Path | str) -> T:
        with open_index(index) as db:
            scanned = refresh(db, folder, progress)
            if b"" in scanned.unreadable:
                raise UserError(f"{folder}{scanned.unreadable[b'']}")
            with transaction(db, "DEFERRED"):
                return work(db, scanned)

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
    if file.is_symlink() or (has_foreign_journal(file) and not _discard(file)):
        return False
    return os.access(file, os.F_OK) or bool(scan(folder).files)


def _is_damage(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF not in _NOT_DAMAGE


def _discard(file: Path) -> bool:
    try:
        file.unlink(missing_ok=True)
        file.with_name(f"{file.name}-journal").unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _search(db: sqlite3.Connection, folder: Path, scanned: FolderScan, query: Query, *, packed: bool) -> Found:
    """Search files and packed games, and put what was found in order."""
    spoken = {} if query.kibitz is None else seats_that_said(db, fold(query.kibitz))
    hits, searched = list[Hit](), 0
    digests = Counter[str]()
    for number, path, game in indexed_games(db):
        searched += 1
        digests.update([game.digest] if query.duplicates and game.finished else ())
        if query.matches(game, spoken.get(number, ())):
            file = os.path.join(folder, os.fsdecode(path))  # noqa: PTH118 - may be a hundred thousand
            found = msgspec.structs.replace(game, record=file)
            hits.append(Hit(query.sort_value(game), game.digest, partial(str, file), partial(_itself, found)))
    total = len(hits)
    damaged: list[UnreadableArchive] = []
    if scanned.archives and packed:
        from arbiter.records.packed.search import packed_count, search_packed

        files: dict[Path, list[str]] = {}
        for path in scanned.files:
            files.setdefault((folder / os.fsdecode(path)).parent, []).append(Path(os.fsdecode(path)).name)
        archives = list(at_rest.readable((folder / os.fsdecode(path) for path in sorted(scanned.archives)), damaged))
        found_packed, packed_total = search_packed(archives, query, files, damaged)
        hits += found_packed
        total += packed_total
        searched += packed_count(archives, files)
        for archive in archives if query.duplicates else ():
            with contextlib.suppress(UnreadableArchive):
                digests.update(digest for digest in archive.digests() if digest)
    if query.duplicates:
        hits = [hit for hit in hits if digests[hit.digest] > 1]
        total = len(hits)
    games: list[GameSummary] = []
    for hit in islice(_ordered(hits, query), query.limit):
        with at_rest.passing_over(damaged):
            games.append(hit.game())
    problems = {**dict(db.execute("SELECT path, problem FROM file WHERE problem IS NOT NULL")), **scanned.unreadable}
    bad = [NoRecord(folder / os.fsdecode(path), problem) for path, problem in sorted(problems.items())]
    unread = {str(error): NoRecord(error.path, str(error).removeprefix(str(error.path))) for error in damaged}
    return Found(games, total, searched, [*bad, *unread.values()])


def _itself(game: GameSummary) -> GameSummary:
    return game


def _ordered(hits: list[Hit], query: Query) -> Iterator[Hit]:
    """Yield hits in the order of the query: unknown values last, ties by path; equal games together if asked for.

    Paths are looked up for ties only, since that takes reading the names in an archive.
    """

    def own(hit: Hit) -> tuple[Any, ...]:
        return hit.key == UNKNOWN, hit.key if query.reverse else -hit.key

    def by_path(hit: Hit) -> bytes:
        try:
            return os.fsencode(hit.path())
        except UnreadableArchive:  # reported when the game is listed
            return b""

    if query.duplicates:
        first: dict[str, tuple[Any, ...]] = {}
        for hit in hits:
            first[hit.digest] = min(first.get(hit.digest, own(hit)), own(hit))
        yield from sorted(hits, key=lambda hit: (first[hit.digest], hit.digest, own(hit), by_path(hit)))
        return
    for _, group in groupby(sorted(hits, key=own), own):
        tied = list(group)
        yield from sorted(tied, key=by_path) if len(tied) > 1 else tied
