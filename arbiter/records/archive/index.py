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
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.records.archive.kibitz import folded_kibitz
from arbiter.records.archive.moments import moment_us
from arbiter.records.archive.scan import FolderScan, Stamp, scan
from arbiter.records.format import FORMAT
from arbiter.records.reader import load_record
from arbiter.records.summary import GameSummary, summarise

VERSION = 3
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
CREATE TABLE file (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, size INTEGER, changed INTEGER, problem TEXT);
CREATE TABLE game (
    id INTEGER PRIMARY KEY REFERENCES file ON DELETE CASCADE, finished INTEGER, protocol TEXT, seed TEXT, contest TEXT,
    stage TEXT, started INTEGER, duration INTEGER, turns INTEGER, digest TEXT, summary BLOB
);
CREATE TABLE seat (
    game INTEGER REFERENCES game ON DELETE CASCADE, seat INTEGER, name TEXT, ending TEXT, PRIMARY KEY (game, seat)
) WITHOUT ROWID;
CREATE TABLE fault (
    game INTEGER REFERENCES game ON DELETE CASCADE, seat INTEGER, kind TEXT, PRIMARY KEY (game, seat, kind)
) WITHOUT ROWID;
CREATE TABLE kibitz (
    game INTEGER REFERENCES game ON DELETE CASCADE, seat INTEGER, text TEXT, PRIMARY KEY (game, seat)
);
CREATE INDEX seat_by_name ON seat (name, ending);
CREATE INDEX game_by_digest ON game (digest);
"""


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """The row of one file in the index."""

    path: bytes
    stamp: Stamp
    problem: str | None = None
    """Why it is not a record: text to append to its path in a message."""
    game: GameSummary | None = None
    summary: bytes = b""
    """The game as JSON, in which numbers may be of any size; without its path, which need not be UTF-8."""
    kibitz: Mapping[int, str] = field(default_factory=dict)


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
        files = [file for path in paths if (file := _read(folder, path, scanned.files[path]))]
        with transaction(db):
            _delete(db, paths)
            for file in files:
                _insert(db, file)
    if progress and changed:
        progress(len(changed), len(changed))
    return scanned


def _read(folder: Path, path: bytes, stamp: Stamp) -> IndexedFile | None:
    """Read a record for the index; None if the file has been deleted."""
    file = folder / os.fsdecode(path)
    if time.time_ns() - stamp[1] < _SETTLED_NS:
        stamp = stamp[0], _NEVER
    try:
        record = load_record(file)
        game = summarise(record)
        summary = msgspec.json.encode(msgspec.structs.replace(game, record=""))
        return IndexedFile(path, stamp, None, game, summary, folded_kibitz(record))
    except UserError as error:
        if isinstance(error.__context__, FileNotFoundError):
            return None
        if isinstance(error.__context__, OSError):  # permissions can change without a new modification time
            stamp = stamp[0], _NEVER
        return IndexedFile(path, stamp, str(error).removeprefix(str(file)))


def _delete(db: sqlite3.Connection, paths: Sequence[bytes]) -> None:
    db.executemany("DELETE FROM file WHERE path = ?", [(path,) for path in paths])


def _insert(db: sqlite3.Connection, file: IndexedFile) -> None:
    values = (file.path, *file.stamp, file.problem)
    row = db.execute("INSERT INTO file (path, size, changed, problem) VALUES (?, ?, ?, ?)", values).lastrowid
    game = file.game
    if game is None:
        return
    db.execute(
        "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row,
            game.finished,
            game.protocol,
            str(game.seed),
            game.contest,
            game.stage,
            moment_us(game.started),
            game.duration_us,
            game.turns,
            game.digest,
            file.summary,
        ),
    )
    db.executemany(
        "INSERT INTO seat VALUES (?, ?, ?, ?)",
        [(row, seat, name, game.ending(seat)) for seat, name in enumerate(game.seats)],
    )
    db.executemany(
        "INSERT INTO fault VALUES (?, ?, ?)",
        [(row, seat, kind) for seat, kinds in enumerate(game.fault_counts()) for kind in kinds],
    )
    db.executemany("INSERT INTO kibitz VALUES (?, ?, ?)", [(row, seat, text) for seat, text in file.kibitz.items()])
