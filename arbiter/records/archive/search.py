"""Search the saved games of a folder through its index, which is created if missing and rebuilt if damaged."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.archive.index import OnProgress, has_foreign_journal, open_index, refresh, transaction
from arbiter.records.archive.moments import moment_us
from arbiter.records.archive.query import Query, order, where
from arbiter.records.archive.scan import FolderScan, scan
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.summary import GameSummary

if TYPE_CHECKING:
    from arbiter.records.packed.archive import Archive
    from arbiter.records.packed.search import Hit

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

_decode = msgspec.json.Decoder(GameSummary).decode


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

    def run(db: sqlite3.Connection, scanned: FolderScan) -> Found:
        if scanned.archives and packed:
            return _with_packed(db, folder, scanned, query)
        return _run(db, folder, scanned, query)

    return _with_index(folder, run, keep=keep, progress=progress)


def known_names(folder: Path, *, keep: bool = True) -> tuple[set[str], set[str]]:
    """Return the names of all agents and of all protocols in the saved games of a folder. Raises UserError."""

    def run(db: sqlite3.Connection, scanned: FolderScan) -> tuple[set[str], set[str]]:
        agents = {name for (name,) in db.execute("SELECT DISTINCT name FROM seat")}
        protocols = {name for (name,) in db.execute("SELECT DISTINCT protocol FROM game")}
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


def _with_packed(db: sqlite3.Connection, folder: Path, scanned: FolderScan, query: Query) -> Found:
    """Search files and packed games, and put what was found in order."""
    from arbiter.records.packed.conditions import UNKNOWN
    from arbiter.records.packed.search import Hit, packed_count, search_packed

    everything = replace(query, limit=None, duplicates=False) if query.duplicates else query
    loose = _run(db, folder, scanned, everything)
    files: dict[Path, list[str]] = {}
    for path in scanned.files:
        files.setdefault((folder / os.fsdecode(path)).parent, []).append(Path(os.fsdecode(path)).name)
    damaged: list[UnreadableArchive] = []
    archives = list(at_rest.readable((folder / os.fsdecode(path) for path in sorted(scanned.archives)), damaged))
    packed, total = search_packed(archives, query, files, damaged)
    hits = [
        Hit(_sorted_by(game, query, UNKNOWN), game.digest, partial(str, game.record), partial(_itself, game))
        for game in loose.games
    ]
    hits += packed
    total += loose.total
    if query.duplicates:
        several = _several(db, archives)
        hits = [hit for hit in hits if hit.digest in several]
        total = len(hits)
    games: list[GameSummary] = []
    for hit in islice(_ordered(hits, query, UNKNOWN), query.limit):
        with at_rest.passing_over(damaged):
            games.append(hit.game())
    unread = {str(error): NoRecord(error.path, str(error).removeprefix(str(error.path))) for error in damaged}
    return Found(games, total, loose.searched + packed_count(archives, files), [*loose.damaged, *unread.values()])


def _itself(game: GameSummary) -> GameSummary:
    return game


def _several(db: sqlite3.Connection, archives: Sequence[Archive]) -> set[str]:
    """Return the digests that several finished games share."""
    count = Counter(digest for (digest,) in db.execute("SELECT digest FROM game WHERE finished"))
    for archive in archives:
        with contextlib.suppress(UnreadableArchive):
            count.update(digest for digest in archive.digests() if digest)
    return {digest for digest, number in count.items() if number > 1}


def _sorted_by(game: GameSummary, query: Query, unknown: int) -> int:
    if query.sort == "length":
        return game.turns
    found = moment_us(game.started) if query.sort == "date" else game.duration_us
    return unknown if found is None else found


def _ordered(hits: list[Hit], query: Query, unknown: int) -> Iterator[Hit]:
    """Yield hits in the order of the query: unknown values last, ties by path; equal games together if asked for.

    Paths are looked up for ties only, since that takes reading the names in an archive.
    """

    def own(hit: Hit) -> tuple[Any, ...]:
        return hit.key == unknown, hit.key if query.reverse else -hit.key

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


def _run(db: sqlite3.Connection, folder: Path, scanned: FolderScan, query: Query) -> Found:
    condition, parameters = where(query)
    rows = db.execute(
        f"SELECT path, summary FROM game JOIN file USING (id) WHERE {condition} ORDER BY {order(query)}",
        parameters,
    )
    games: list[GameSummary] = []
    total = 0
    for total, (path, summary) in enumerate(rows, 1):
        if query.limit is None or total <= query.limit:
            games.append(msgspec.structs.replace(_decode(summary), record=str(folder / os.fsdecode(path))))
    ((searched,),) = db.execute("SELECT count(*) FROM game")
    problems = {**dict(db.execute("SELECT path, problem FROM file WHERE problem IS NOT NULL")), **scanned.unreadable}
    damaged = [NoRecord(folder / os.fsdecode(path), problem) for path, problem in sorted(problems.items())]
    return Found(games, total, searched, damaged)
