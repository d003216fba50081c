"""What must survive a restart besides the records: teams, created games and the organiser's actions, in one SQLite file."""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from arbiter.arena.keys import Keys, check_key, new_key
from arbiter.errors import UserError
from arbiter.game import quoted
from arbiter.records.writer import now

Status = Literal["waiting", "playing", "finished", "aborted"]
Kind = Literal["official", "training", "queue"]

NAME_LETTERS = (3, 40)
_TABLES = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS teams (name TEXT PRIMARY KEY, folded TEXT UNIQUE NOT NULL, hash TEXT UNIQUE NOT NULL, at TEXT NOT NULL,
    withdrawn INTEGER NOT NULL DEFAULT 0, plays INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, protocol TEXT NOT NULL, category TEXT NOT NULL, seats TEXT NOT NULL,
    options TEXT NOT NULL, seed TEXT NOT NULL, status TEXT NOT NULL, record TEXT NOT NULL, reason TEXT NOT NULL,
    at TEXT NOT NULL, contest TEXT NOT NULL, number INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS uploads (
    team TEXT NOT NULL, version INTEGER NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL, language TEXT NOT NULL,
    problem TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (team, version)
);
CREATE TABLE IF NOT EXISTS log (at TEXT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as stored in the file."""

    id: str
    kind: Kind
    protocol: str
    category: str
    seats: tuple[str, ...]
    """By seat, in the notation of :mod:`arbiter.arena.seats`."""
    options: Mapping[str, object]
    seed: int
    status: Status = "waiting"
    record: str = ""
    """The path of its record in the arena's folder."""
    reason: str = ""
    """Why it was aborted."""
    at: str = field(default_factory=now)
    """When it was created, or when it started if it has, in UTC."""
    contest: str = ""
    """The name of the contest it belongs to; empty for a game out of competition."""
    number: int = 0
    """Its number in the ledger of that contest."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A version of a team's program."""

    team: str
    version: int
    """From 1."""
    file: str
    """The file name as uploaded, for display only."""
    size: int
    language: str
    problem: str
    """Why it cannot play; empty if it can."""
    at: str = field(default_factory=now)


class Store:
    """The SQLite file of an arena. Only the server's thread writes; threads that make pages read as well."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # Survives kill -9; a power failure may lose the last commits but cannot corrupt the file.
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise UserError(f"cannot open the arena's file {str(path)!r}: {error}") from None
        self.keys = Keys(
            self._setting_or_default("salt", secrets.token_hex(16)),
            dict(self._rows("SELECT hash, name FROM teams")),
        )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    def _rows(self, statement: str, values: Sequence[str | int] = ()) -> list[Any]:
        """Execute a statement and return all rows of its result. One thread at a time does: if the file were closed in the
        middle of a statement, SQLite would crash."""
        with self._lock:
            return self._db.execute(statement, values).fetchall()

    def _setting_or_default(self, name: str, default: str) -> str:
        self._rows("INSERT OR IGNORE INTO facts VALUES (?, ?)", (name, default))
        return self.setting(name)

    def setting(self, name: str) -> str:
        """Return a stored setting; empty if it was never set."""
        return "".join(value for (value,) in self._rows("SELECT value FROM facts WHERE name = ?", (name,)))

    def set_setting(self, name: str, value: str) -> None:
        """Store a setting."""
        self._rows("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    # -- teams

    def register(self, name: str, key: str = "") -> str:
        """Register a team and return its key, of which only a hash is stored. Raises UserError."""
        name, key = _checked_name(name), key or new_key()
        check_key(key)
        with _unique(name):
            self._rows(
                "INSERT INTO teams (name, folded, hash, at) VALUES (?, ?, ?, ?)",
                (name, name.casefold(), self.keys.hash(key), now()),
            )
        self._use_keys()
        return key

    def _use_keys(self) -> None:
        self.keys.use(dict(self._rows("SELECT hash, name FROM teams")))

    def check_known(self, name: str) -> None:
        """Raise UserError for a team that is not registered."""
        if name not in self.teams():
            raise UserError(f"unknown team {quoted(name)}")

    def rename(self, name: str, new: str) -> str:
        """Rename a team, and return its new name. Raises UserError."""
        self.check_known(name)
        new = _checked_name(new)
        with _unique(new):
            self._rows("UPDATE teams SET name = ?, folded = ? WHERE name = ?", (new, new.casefold(), name))
        self._rows("UPDATE uploads SET team = ? WHERE team = ?", (new, name))
        self._use_keys()
        return new

    def delete(self, name: str) -> None:
        """Delete a team. Raises UserError."""
        self.check_known(name)
        self._rows("DELETE FROM teams WHERE name = ?", (name,))
        self._rows("DELETE FROM uploads WHERE team = ?", (name,))
        self._use_keys()

    def withdraw(self, name: str, *, out: bool) -> None:
        """Note that no game waits for a team, or that games do again. Raises UserError."""
        self.check_known(name)
        self._rows("UPDATE teams SET withdrawn = ? WHERE name = ?", (int(out), name))

    def withdrawn(self) -> set[str]:
        """Return the teams that no game waits for."""
        return {str(name) for (name,) in self._rows("SELECT name FROM teams WHERE withdrawn")}

    def teams(self) -> list[str]:
        """Return the names of all teams, in the order of registration."""
        return [str(name) for (name,) in self._rows("SELECT name FROM teams ORDER BY at, rowid")]

    def registered(self) -> list[tuple[str, str]]:
        """Return the teams, each with its time of registration."""
        rows = self._rows("SELECT name, at FROM teams ORDER BY at, rowid")
        return [(str(name), str(at)) for name, at in rows]

    def new_key(self, name: str) -> str:
        """Give a team a new key, which replaces the old one. Raises UserError."""
        self.check_known(name)
        key = new_key()
        self._rows("UPDATE teams SET hash = ? WHERE name = ?", (self.keys.hash(key), name))
        self._use_keys()
        return key

    # -- games

    def save(self, game: GameRow) -> None:
        """Insert or update a game."""
        values = {name: getattr(game, name) for name in GameRow.__slots__}
        values |= {"seats": json.dumps(game.seats), "options": json.dumps(dict(game.options)), "seed": str(game.seed)}
        marks = ", ".join("?" * len(values))
        self._rows(f"INSERT OR REPLACE INTO games ({', '.join(values)}) VALUES ({marks})", list(values.values()))

    def game(self, game_id: str) -> GameRow | None:
        """Return one game."""
        return next(iter(self._select("WHERE id = ?", [game_id])), None)

    def games(self, kinds: Sequence[Kind], statuses: Sequence[Status], most: int = 1000) -> list[GameRow]:
        """Return games, newest first."""
        marks = ",".join("?" * len(kinds)), ",".join("?" * len(statuses))
        where = f"WHERE kind IN ({marks[0]}) AND status IN ({marks[1]}) ORDER BY at DESC, rowid DESC LIMIT ?"
        return self._select(where, [*kinds, *statuses, most])

    def games_of(self, team: str, most: int) -> list[GameRow]:
        """Return the latest games with a seat of a team, newest first."""
        own = (
            "value = 'remote:' || ?1 OR value LIKE 'upload:%' AND substr(value, instr(substr(value, 8), ':') + 8) = ?1"
        )
        where = f"WHERE EXISTS (SELECT 1 FROM json_each(seats) WHERE {own}) ORDER BY at DESC, rowid DESC LIMIT ?2"
        return self._select(where, [team, most])

    def _select(self, where: str, values: Sequence[str | int]) -> list[GameRow]:
        rows = self._rows(f"SELECT {', '.join(GameRow.__slots__)} FROM games {where}", values)
        found = [GameRow(*row) for row in rows]
        return [
            replace(
                row, seats=tuple(json.loads(str(row.seats))), options=json.loads(str(row.options)), seed=int(row.seed)
            )
            for row in found
        ]

    def recover(self) -> int:
        """Mark games that were interrupted when the server stopped as aborted, and return how many there were.

        Official games that had not started yet can still be joined, and a contest plays its games again.
        """
        self._rows("UPDATE games SET status = 'waiting', record = '' WHERE status = 'playing' AND contest != ''")
        changed = self._rows(
            "UPDATE games SET status = 'aborted', reason = 'the server was restarted' "
            "WHERE status = 'playing' OR (status = 'waiting' AND kind != 'official') RETURNING id"
        )
        return len(changed)

    def contest_game(self, contest: str, number: int) -> GameRow | None:
        """Return the latest game of a contest with this number."""
        where = "WHERE contest = ? AND number = ? ORDER BY at DESC, rowid DESC LIMIT 1"
        return next(iter(self._select(where, [contest, number])), None)

    # -- uploads

    def add_upload(self, upload: Upload) -> None:
        """Store a version of a team's program."""
        values = (upload.team, upload.version, upload.file, upload.size, upload.language, upload.problem, upload.at)
        self._rows("INSERT INTO uploads VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def uploads(self, team: str) -> list[Upload]:
        """Return the versions of a team's program, oldest first."""
        rows = self._rows("SELECT * FROM uploads WHERE team = ? ORDER BY version", (team,))
        return [Upload(*row) for row in rows]

    def chosen_upload(self, team: str) -> int:
        """Return the version that plays for a team; 0 if the team plays over the network."""
        return int(next(iter(self._rows("SELECT plays FROM teams WHERE name = ?", (team,))), (0,))[0])

    def choose_upload(self, team: str, version: int) -> None:
        """Set the version that plays for a team from its next game on; 0 for none. Raises UserError."""
        self.check_known(team)
        found = next((upload for upload in self.uploads(team) if upload.version == version), None)
        if version and (found is None or found.problem):
            raise UserError(f"version {version} of team {quoted(team)} " + ("cannot play" if found else "is unknown"))
        self._rows("UPDATE teams SET plays = ? WHERE name = ?", (version, team))

    # -- log

    def log(self, who: str, what: str) -> None:
        """Log an action of the organiser."""
        self._rows("INSERT INTO log VALUES (?, ?, ?)", (now(), who, what))

    def log_lines(self, most: int = 1000) -> list[tuple[str, str, str]]:
        """Return the latest actions, oldest first."""
        rows = self._rows("SELECT at, who, what FROM log ORDER BY rowid DESC LIMIT ?", (most,))
        return [(str(at), str(who), str(what)) for at, who, what in reversed(rows)]


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    fewest, most = NAME_LETTERS
    if not fewest <= len(name) <= most or not name.isprintable():
        raise UserError(f"team name {quoted(name)}: must be {fewest} to {most} printable characters")
    return name


@contextlib.contextmanager
def _unique(name: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.IntegrityError:
        raise UserError(f"team {quoted(name)}: the name is taken") from None
