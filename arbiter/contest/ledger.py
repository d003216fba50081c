"""The games of a contest: its folder of records, from which everything known about the contest is derived.

A game counts when its record has a result. A record without one was being written when the arbiter was stopped; it is
removed, and the game is played again. An annulled game keeps its record in a subfolder, with a line that says why it was
annulled; for the contest it has not been played.
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
"""Subfolder of annulled games."""
_LOCK = ".lock"
_NAME_LETTERS = 60


class Ledger:
    """The games played so far, with their outcomes and their numbers."""

    def __init__(self, folder: Path, secondary: str = "") -> None:
        """Read all records in ``folder``; ``secondary`` is that of the protocol."""
        self.folder, self._secondary = folder, secondary
        self.played: dict[ScheduledGame, Outcome] = {}
        self.numbers: dict[ScheduledGame, int] = {}
        """Numbers of games, as in the names of their files; games still to be played have one as well."""
        self._taken: set[int] = set()
        self._last = 0
        """The highest number among the games that the schedule has reached."""
        self.header: Header | None = None
        """The header of one of the games, for the conditions that all of them share."""
        self.versions: dict[ScheduledGame, tuple[str, ...]] = {}
        """Fingerprints of the agents by game, in the order of the seats."""
        self.level: str | None = None
        """The weakest sandbox level among the games."""
        self.unfinished: list[Path] = []
        """Records without a result."""
        self.annulled_in_place: list[Path] = []
        """Records of annulled games that were not moved to their subfolder before the arbiter was stopped."""
        self.damaged: list[str] = []
        """Messages about records that cannot be read."""
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            record = load(path)
        except UserError as error:
            with contextlib.suppress(FileNotFoundError):  # removed meanwhile, by an arbiter that runs this contest
                if b"\n" in path.read_bytes():
                    self.damaged.append(str(error))
                else:  # interrupted before its first line was complete
                    self.unfinished.append(path)
            return
        if record.annulled:
            self.annulled_in_place.append(path)
        elif record.result is None:
            self.unfinished.append(path)
        else:
            self._enter(record.header, outcome_of(record, self._secondary))

    def _enter(self, header: Header, outcome: Outcome) -> None:
        self.header = self.header or header
        if self.level is None or LEVELS.index(header.sandbox) < LEVELS.index(self.level):
            self.level = header.sandbox
        self.versions[outcome.game] = tuple(seat.fingerprint for seat in header.seats)
        self.played[outcome.game] = outcome
        self.numbers[outcome.game] = header.game
        self._taken.add(header.game)

    def add(self, path: Path) -> Outcome | None:
        """Enter a game that has just been played; None if there is no record of it, or none with a result."""
        try:
            record = load(path)
        except UserError:
            return None
        if record.result is None:
            return None
        outcome = outcome_of(record, self._secondary)
        self._enter(record.header, outcome)
        return outcome

    def keep(self, games: Iterable[ScheduledGame]) -> int:
        """Forget all games but these; returns how many were forgotten."""
        before = len(self.played)
        self.played = {game: self.played[game] for game in games if game in self.played}
        return before - len(self.played)

    def remove_unfinished(self) -> int:
        """Remove records without a result, so that their games can be played again; returns how many there were."""
        for path in self.annulled_in_place:
            self._move_to_annulled(path)
        self.annulled_in_place.clear()
        for path in self.unfinished:
            path.unlink(missing_ok=True)
        count = len(self.unfinished)
        self.unfinished.clear()
        return count

    def number(self, games: Iterable[ScheduledGame]) -> None:
        """Number the games that have no number yet, in the order of the schedule, each with the next free number.

        So the numbers do not depend on how often a contest was stopped, and added games come after those played.
        """
        for game in games:
            if game not in self.numbers:
                number = self._last + 1
                while number in self._taken:
                    number += 1
                self.numbers[game] = number
                self._taken.add(number)
            self._last = max(self._last, self.numbers[game])

    def path(self, game: ScheduledGame) -> Path:
        """The path of the record of a game: ``00037-greedy-random.jsonl``."""
        names = re.sub(r"[^\w.-]+", "_", "-".join(game.seats))[:_NAME_LETTERS]
        return self.folder / f"{self.numbers[game]:05d}-{names}{SUFFIX}"

    def find(self, number: int) -> ScheduledGame:
        """The game with this number. Raises UserError if it has not been played."""
        for game, filed in self.numbers.items():
            if filed == number and game in self.played:
                return game
        raise UserError(f"game {number}: no such game in {self.folder}")

    def annul(self, game: ScheduledGame, because: str) -> Path:
        """Annul a game; returns the new path of its record."""
        path = Path(self.played[game].record)
        line = msgspec.json.encode(AnnulledLine(because=because, when=now()))
        with path.open("ab") as file:
            file.write(line + b"\n")
        del self.played[game]
        return self._move_to_annulled(path)

    def _move_to_annulled(self, path: Path) -> Path:
        folder = self.folder / ANNULLED
        folder.mkdir(exist_ok=True)
        number = 1
        while (target := folder / f"{path.stem}-{number}{SUFFIX}").exists():
            number += 1
        path.rename(target)
        return target


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock the folder of a contest against other arbiters for the time of the block. Raises UserError."""
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
