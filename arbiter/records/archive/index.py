"""The index of a folder of records: tables in SQLite that hold nothing a record does not.

It is a cache. Whoever uses it brings it up to date first: records that are new or have changed are read, those that
have vanished are forgotten, the others are only looked at from outside. It may be deleted at any time.

Kibitz is kept as folded text, a row a seat, and searched from end to end: 8 MB for 1000 games, looked through in 12 ms.
An index of every three letters in it (FTS5) would answer sooner, and take two or three times as long to make as all the
rest together.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.records.archive.kibitz import folded
from arbiter.records.archive.moments import moment_us
from arbiter.records.archive.saved_game import SavedGame, summarise
from arbiter.records.archive.scan import Stamp, Tree, scan
from arbiter.records.format import FORMAT
from arbiter.records.reader import load

VERSION = 1
"""Goes up when the tables change, or what is put into them for a record."""
_USER_VERSION = VERSION * 1000 + FORMAT  # an arbiter that reads newer records has more to put in

Progress = Callable[[int, int], None]
"""Called with how many records have been read, of how many."""

_PATIENCE_S = 30.0
"""For another arbiter that is writing a batch."""
_BATCH = 250
"""Records read between two transactions: what was read is kept when the rest is interrupted."""
_SETTLED_NS = 2_000_000_000
"""A file written more recently might be written again without a sign: clocks of file systems are coarse."""
_NEVER = 0

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
class Reading:
    """What was made of a file."""

    path: bytes
    stamp: Stamp
    problem: str | None = None
    """Why it is no record, to be put after its path."""
    game: SavedGame | None = None
    summary: bytes = b""
    """The game, encoded."""
    kibitz: Mapping[int, str] = field(default_factory=dict)


@contextmanager
def opened(place: str | Path) -> Iterator[sqlite3.Connection]:
    """The index in a file, or ``:memory:``, with its tables in place."""
    db = sqlite3.connect(place, timeout=_PATIENCE_S, isolation_level=None)
    try:
        if not _is_current(db):
            _make_tables(db)
        db.execute("PRAGMA foreign_keys = ON")
        yield db
    finally:
        db.close()


def _is_current(db: sqlite3.Connection) -> bool:
    ((version,),) = db.execute("PRAGMA user_version")
    return bool(version == _USER_VERSION)


def _make_tables(db: sqlite3.Connection) -> None:
    with transaction(db):
        if _is_current(db):  # another arbiter was faster
            return
        old = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall()
        for (name,) in old:
            db.execute('DROP TABLE "{}"'.format(name.replace('"', '""')))
        for statement in _TABLES.split(";"):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {_USER_VERSION}")


@contextmanager
def transaction(db: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All of it or nothing."""
    db.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # some errors have ended it already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def refresh(db: sqlite3.Connection, folder: Path, progress: Progress | None = None) -> Tree:
    """Bring the index up to date with the files, and say which there are. If nothing has changed, nothing is written."""
    known = {path: (size, changed) for path, size, changed in db.execute("SELECT path, size, changed FROM file")}
    tree = scan(folder)  # in this order: what another arbiter adds meanwhile must not seem to have vanished
    gone = [path for path in known if path not in tree.files]
    if gone:
        with transaction(db):
            _forget(db, gone)
    changed = sorted(path for path, stamp in tree.files.items() if known.get(path) != stamp)
    for start in range(0, len(changed), _BATCH):
        if progress:
            progress(start, len(changed))
        paths = changed[start : start + _BATCH]
        readings = [reading for path in paths if (reading := _read(folder, path, tree.files[path]))]
        with transaction(db):
            _forget(db, paths)
            for reading in readings:
                _put(db, reading)
    if progress and changed:
        progress(len(changed), len(changed))
    return tree


def _read(folder: Path, path: bytes, stamp: Stamp) -> Reading | None:
    """None for a file that has vanished."""
    file = folder / os.fsdecode(path)
    if time.time_ns() - stamp[1] < _SETTLED_NS:
        stamp = stamp[0], _NEVER
    try:
        record = load(file)
        game = summarise(record)
        return Reading(path, stamp, None, game, msgspec.msgpack.encode(game), folded(record))
    except UserError as error:
        if isinstance(error.__context__, FileNotFoundError):
            return None
        if isinstance(error.__context__, OSError):  # which may pass without a new time of the last change
            stamp = stamp[0], _NEVER
        return Reading(path, stamp, str(error).removeprefix(str(file)))
    except OverflowError:
        return Reading(path, stamp, ": it holds a number that no game has")


def _forget(db: sqlite3.Connection, paths: Sequence[bytes]) -> None:
    db.executemany("DELETE FROM file WHERE path = ?", [(path,) for path in paths])


def _put(db: sqlite3.Connection, reading: Reading) -> None:
    values = (reading.path, *reading.stamp, reading.problem)
    key = db.execute("INSERT INTO file (path, size, changed, problem) VALUES (?, ?, ?, ?)", values).lastrowid
    game = reading.game
    if game is None:
        return
    db.execute(
        "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            game.finished,
            game.protocol,
            str(game.seed),
            game.contest,
            game.stage,
            moment_us(game.started),
            game.duration_us,
            game.turns,
            game.digest,
            reading.summary,
        ),
    )
    db.executemany(
        "INSERT INTO seat VALUES (?, ?, ?, ?)",
        [(key, seat, name, game.ending(seat)) for seat, name in enumerate(game.seats)],
    )
    db.executemany(
        "INSERT INTO fault VALUES (?, ?, ?)",
        [(key, seat, kind) for seat, kinds in enumerate(game.faults) for kind in kinds],
    )
    db.executemany("INSERT INTO kibitz VALUES (?, ?, ?)", [(key, seat, text) for seat, text in reading.kibitz.items()])
