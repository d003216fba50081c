"""The games of a contest: its folder of records, which is all that is known of it.

A game counts when its record has its result. A record without one is what a stopped arbiter was writing, and goes; its
game is played again. An annulled game keeps its record, in a folder of its own, with a line that says who it was annulled
by and why; the contest sees it as not played.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from arbiter.agents.sandbox.levels import LEVELS
from arbiter.contest.key import GameKey, Outcome
from arbiter.contest.outcomes import outcome_of
from arbiter.errors import UserError
from arbiter.records.format import AnnulledLine, Header
from arbiter.records.reader import load
from arbiter.records.writer import SUFFIX, now

ANNULLED = "annulled"
"""Folder of games that count no longer."""
_LOCK = ".lock"
_NAME_LETTERS = 60


class Ledger:
    """What has been played, by key, and under which number each game is filed."""

    def __init__(self, folder: Path, secondary: str = "") -> None:
        self.folder, self._secondary = folder, secondary
        self.played: dict[GameKey, Outcome] = {}
        self.numbers: dict[GameKey, int] = {}
        self.header: Header | None = None
        """Of one of the games, for the terms that all of them share."""
        self.versions: dict[GameKey, tuple[str, ...]] = {}
        """By game: fingerprints of the agents that played it."""
        self.level: str | None = None
        """The weakest level of containment among the games."""
        self.cut_off: list[Path] = []
        """Records without a result."""
        self.damaged: list[str] = []
        """Records that cannot be read, with the reason."""
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            try:
                record = load(path)
            except UserError as error:
                if path.stat().st_size and b"\n" in path.read_bytes():
                    self.damaged.append(str(error))
                else:  # stopped before its first line was whole
                    self.cut_off.append(path)
                continue
            if record.result is None:
                self.cut_off.append(path)
                continue
            self._take(record.header, outcome_of(record, secondary))

    def _take(self, header: Header, outcome: Outcome) -> None:
        self.header = self.header or header
        if self.level is None or LEVELS.index(header.sandbox) < LEVELS.index(self.level):
            self.level = header.sandbox
        self.versions[outcome.key] = tuple(seat.fingerprint for seat in header.seats)
        self.played[outcome.key] = outcome
        self.numbers[outcome.key] = header.game

    def add(self, path: Path) -> Outcome | None:
        """A game that was just played; None if it is not to be found there, or not to its end."""
        try:
            record = load(path)
        except UserError:
            return None
        if record.result is None:
            return None
        outcome = outcome_of(record, self._secondary)
        self._take(record.header, outcome)
        return outcome

    def remove_cut_off(self) -> int:
        """Make room for playing those again; returns how many there were."""
        for path in self.cut_off:
            path.unlink(missing_ok=True)
        count = len(self.cut_off)
        self.cut_off.clear()
        return count

    def number(self, schedule: Sequence[GameKey]) -> None:
        """Give numbers to games of the schedule that have none: their place in it, unless another game was filed under
        that before agents or games were added; then the next that is free."""
        taken = set(self.numbers.values())
        spare = max([len(schedule), *taken], default=0)
        for place, key in enumerate(schedule, 1):
            if key not in self.numbers:
                if place in taken:
                    spare += 1
                    place = spare  # noqa: PLW2901
                self.numbers[key] = place
                taken.add(place)

    def path(self, key: GameKey) -> Path:
        """Where a game is, or will be, saved: ``00037-greedy-random.jsonl``."""
        names = re.sub(r"[^\w.-]+", "_", "-".join(key.seats))[:_NAME_LETTERS]
        return self.folder / f"{self.numbers[key]:05d}-{names}{SUFFIX}"

    def find(self, number: int) -> GameKey:
        """The game of that number. Raises UserError."""
        for key, filed in self.numbers.items():
            if filed == number and key in self.played:
                return key
        raise UserError(f"game {number}: there is no such game in {self.folder}")

    def annul(self, key: GameKey, because: str) -> Path:
        """A game counts no longer; where its record is now."""
        path = Path(self.played[key].record)
        line = msgspec.json.encode(AnnulledLine(because=because, when=now()))
        place = self.folder / ANNULLED
        place.mkdir(exist_ok=True)
        with path.open("ab") as file:
            file.write(line + b"\n")
        number = 1
        while (target := place / f"{path.stem}-{number}{SUFFIX}").exists():
            number += 1
        path.rename(target)
        del self.played[key]
        return target


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else runs the contest in this folder meanwhile. Raises UserError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise UserError(f"cannot save games in {folder}: {error.strerror}") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{folder} is in use: another arbiter is running this contest") from None
        yield
    finally:
        os.close(lock)
