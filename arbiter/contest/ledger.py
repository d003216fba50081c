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
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from arbiter.agents.sandbox.levels import LEVELS
from arbiter.contest.outcomes import outcome_of
from arbiter.contest.scheduled import Outcome, ScheduledGame
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
        self.played: dict[ScheduledGame, Outcome] = {}
        self.numbers: dict[ScheduledGame, int] = {}
        self._taken: set[int] = set()
        self._last = 0
        """The highest number of the games that the schedule has come to."""
        self.header: Header | None = None
        """Of one of the games, for the terms that all of them share."""
        self.versions: dict[ScheduledGame, tuple[str, ...]] = {}
        """By game: fingerprints of the agents that played it."""
        self.level: str | None = None
        """The weakest level of containment among the games."""
        self.cut_off: list[Path] = []
        """Records without a result."""
        self.on_the_way: list[Path] = []
        """Records of annulled games that were not put away before the arbiter was stopped."""
        self.damaged: list[str] = []
        """Records that cannot be read, with the reason."""
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            try:
                record = load(path)
            except UserError as error:
                with contextlib.suppress(FileNotFoundError):  # somebody runs the contest while we look
                    if b"\n" in path.read_bytes():
                        self.damaged.append(str(error))
                    else:  # stopped before its first line was whole
                        self.cut_off.append(path)
                continue
            if record.annulled:
                self.on_the_way.append(path)
            elif record.result is None:
                self.cut_off.append(path)
            else:
                self._take(record.header, outcome_of(record, secondary))

    def _take(self, header: Header, outcome: Outcome) -> None:
        self.header = self.header or header
        if self.level is None or LEVELS.index(header.sandbox) < LEVELS.index(self.level):
            self.level = header.sandbox
        self.versions[outcome.game] = tuple(seat.fingerprint for seat in header.seats)
        self.played[outcome.game] = outcome
        self.numbers[outcome.game] = header.game
        self._taken.add(header.game)

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

    def keep(self, games: Iterable[ScheduledGame]) -> int:
        """Forget all games but these; returns how many that were."""
        before = len(self.played)
        self.played = {key: self.played[key] for key in games if key in self.played}
        return before - len(self.played)

    def tidy(self) -> int:
        """Make room for playing again what was cut off; returns how many there were."""
        for path in self.on_the_way:
            self._put_away(path)
        self.on_the_way.clear()
        for path in self.cut_off:
            path.unlink(missing_ok=True)
        count = len(self.cut_off)
        self.cut_off.clear()
        return count

    def number(self, games: Iterable[ScheduledGame]) -> None:
        """Give numbers to games that have none, in the order of the schedule: each the next that is free after those before
        it. So they are the same however often a contest was stopped; what is added to one comes after what was played."""
        for key in games:
            if key not in self.numbers:
                number = self._last + 1
                while number in self._taken:
                    number += 1
                self.numbers[key] = number
                self._taken.add(number)
            self._last = max(self._last, self.numbers[key])

    def path(self, key: ScheduledGame) -> Path:
        """Where a game is, or will be, saved: ``00037-greedy-random.jsonl``."""
        names = re.sub(r"[^\w.-]+", "_", "-".join(key.seats))[:_NAME_LETTERS]
        return self.folder / f"{self.numbers[key]:05d}-{names}{SUFFIX}"

    def find(self, number: int) -> ScheduledGame:
        """The game of that number. Raises UserError."""
        for key, filed in self.numbers.items():
            if filed == number and key in self.played:
                return key
        raise UserError(f"game {number}: there is no such game in {self.folder}")

    def annul(self, key: ScheduledGame, because: str) -> Path:
        """A game counts no longer; where its record is now."""
        path = Path(self.played[key].record)
        line = msgspec.json.encode(AnnulledLine(because=because, when=now()))
        with path.open("ab") as file:
            file.write(line + b"\n")
        del self.played[key]
        return self._put_away(path)

    def _put_away(self, path: Path) -> Path:
        place = self.folder / ANNULLED
        place.mkdir(exist_ok=True)
        number = 1
        while (target := place / f"{path.stem}-{number}{SUFFIX}").exists():
            number += 1
        path.rename(target)
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
