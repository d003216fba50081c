"""The index of a folder of records: an SQLite database derived from the records alone.

It is a cache and may be deleted at any time. Every use brings it up to date first: new and changed records are read, deleted
ones are removed, and unchanged ones are recognised by size and modification time.

Kibitz is stored as folded text, one row per seat, and searched linearly: 8 MB for 1000 games take 12 ms. A trigram index
(FTS5) would be faster to search, but takes two to three times as long to build as everything else together.
"""

from __future__ import annotations

import functools
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.records.format import FORMAT
from arbiter.records.reader import load_record
from arbiter.records.search.kibitz import folded_kibitz
from arbiter.records.search.scan import FolderScan, Stamp, scan
from arbiter.records.summary import GameSummary, summarise

VERSION = 4
"""Incremented when the tables, or what is stored for a record, change."""
_USER_VERSION = VERSION * 1000 + FORMAT  # a newer record format may have more to store

OnProgress = Callable[[int, int], None]
"""Called with the number of records read so far, and the number to read."""

_LOCK_TIMEOUT_S = 30.0
"""How long to wait while another arbiter writes a batch."""
_BATCH = 250
"""Records per transaction: an interruption loses no more than one batch."""
_SETTLED_NS = 2_000_000_000
"""A file modified more recently than this could change again within the resolution of file system timestamps."""
_NEVER = 0
"""A modification time that no file has, so that the file is read again next time."""

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""The last bytes of a journal that names another file; other journals end with a page."""

_TABLES = """
CREATE TABLE file (
    id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, size INTEGER, changed INTEGER, problem TEXT, summary BLOB
);
CREATE TABLE kibitz (
    file INTEGER REFERENCES file ON DELETE CASCADE, seat INTEGER, text TEXT, PRIMARY KEY (file, seat)
);
"""
"""A file has a problem, which is text to append to its path in a message, or the summary of its game as JSON: without its path,
which need not be UTF-8."""

_decode = msgspec.json.Decoder(GameSummary).decode


@contextmanager
def open_index(file: str | Path) -> Iterator[sqlite3.Connection]:
    """Open the index in a file, or in ``:memory:``, and create its tables if they are missing or outdated."""
    db = sqlite3.connect(file, timeout=_LOCK_TIMEOUT_S, isolation_level=None)
    try:
        if not _is_current(db):
            _make_tables(db)
        if _schema(db) != _own_schema():  # a view or a trigger in an untrusted file could run forever
            raise sqlite3.DatabaseError("not an index made by the arbiter")
        db.execute("PRAGMA foreign_keys = ON")
        yield db
    finally:
        db.close()


def has_foreign_journal(file: Path) -> bool:
    """Return whether the journal of an index names another file, as the journal of a transaction on several databases does,
    which an index never has. SQLite would delete the named file, and the journal may be untrusted."""
    try:
        journal = os.open(f"{file}-journal", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:  # there is none, or it is a link, which SQLite does not follow
        return False
    try:
        size = os.fstat(journal).st_size
        return os.pread(journal, len(_JOURNAL_MAGIC), max(0, size - len(_JOURNAL_MAGIC))) == _JOURNAL_MAGIC
    finally:
        os.close(journal)


def _schema(db: sqlite3.Connection) -> set[tuple[str, ...]]:
    return set(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


@functools.cache
def _own_schema() -> set[tuple[str, ...]]:
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        _make_tables(db)
        return _schema(db)
    finally:
        db.close()


def _is_current(db: sqlite3.Connection) -> bool:
    ((version,),) = db.execute("PRAGMA user_version")
    return bool(version == _USER_VERSION)


def _make_tables(db: sqlite3.Connection) -> None:
    with transaction(db):
        if _is_current(db):  # another arbiter has just created them
            return
        old = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall()
        for (name,) in old:
            db.execute('DROP TABLE "{}"'.format(name.replace('"', '""')))
        for statement in _TABLES.split(";"):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {_USER_VERSION}")


@contextmanager
def transaction(db: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Run the block as one transaction, rolled back if it raises."""
    db.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # some errors have already rolled it back
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def refresh(db: sqlite3.Connection, folder: Path, progress: OnProgress | None = None) -> FolderScan:
    """Bring the index up to date with the files, and return them. Nothing is written if nothing has changed."""
    known = {path: (size, changed) for path, size, changed in db.execute("SELECT path, size, changed FROM file")}
    # After the query: a file that another arbiter indexes in between must not look deleted.
    scanned = scan(folder)
    deleted = [path for path in known if path not in scanned.files]
    if deleted:
        with transaction(db):
            _delete(db, deleted)
    changed = sorted(path for path, stamp in scanned.files.items() if known.get(path) != stamp)
    for start in range(0, len(changed), _BATCH):
        if progress:
            progress(start, len(changed))
        paths = changed[start : start + _BATCH]
        read = [found for path in paths if (found := _read(folder, path, scanned.files[path]))]
        with transaction(db):
            _delete(db, paths)
            for row, kibitz in read:
                _insert(db, row, kibitz)
    if progress and changed:
        progress(len(changed), len(changed))
    return scanned


def _read(folder: Path, path: bytes, stamp: Stamp) -> tuple[tuple[object, ...], Mapping[int, str]] | None:
    """Return the row of a record in the index, and its folded kibitz by seat; None if the file has been deleted."""
    file = folder / os.fsdecode(path)
    if time.time_ns() - stamp[1] < _SETTLED_NS:
        stamp = stamp[0], _NEVER
    try:
        record = load_record(file)
        summary = msgspec.json.encode(msgspec.structs.replace(summarise(record), record=""))
        return (path, *stamp, None, summary), folded_kibitz(record)
    except UserError as error:
        if isinstance(error.__context__, FileNotFoundError):
            return None
        if isinstance(error.__context__, OSError):  # permissions can change without a new modification time
            stamp = stamp[0], _NEVER
        return (path, *stamp, str(error).removeprefix(str(file)), None), {}


def _delete(db: sqlite3.Connection, paths: Sequence[bytes]) -> None:
    db.executemany("DELETE FROM file WHERE path = ?", [(path,) for path in paths])


def _insert(db: sqlite3.Connection, row: tuple[object, ...], kibitz: Mapping[int, str]) -> None:
    columns = "path, size, changed, problem, summary"
    number = db.execute(f"INSERT INTO file ({columns}) VALUES (?, ?, ?, ?, ?)", row).lastrowid
    db.executemany("INSERT INTO kibitz VALUES (?, ?, ?)", [(number, seat, text) for seat, text in kibitz.items()])


def indexed_games(db: sqlite3.Connection) -> Iterator[tuple[int, bytes, GameSummary]]:
    """Yield the number and the path of each file with a game, and the summary of the game."""
    for number, path, summary in db.execute("SELECT id, path, summary FROM file WHERE problem IS NULL"):
        yield number, path, _decode(summary)


def seats_that_said(db: sqlite3.Connection, text: str) -> dict[int, set[int]]:
    """Return the seats whose folded kibitz contains a text, by the number of the file."""
    found: dict[int, set[int]] = {}
    for number, seat in db.execute("SELECT file, seat FROM kibitz WHERE instr(text, ?)", [text]):
        found.setdefault(number, set()).add(seat)
    return found
