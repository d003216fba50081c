"""The games of a contest: its folder of records, from which everything known about the contest is derived.

A game counts when its record has a result. A record without one was being written when the arbiter was stopped; it is
removed, and the game is played again. An annulled game keeps its record in a subfolder, with a line that says why it was
annulled; for the contest it has not been played. A record that was changed after its game, or that does not belong to this
contest, is left out.
"""

from __future__ import annotations

import contextlib
import copy
import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from arbiter.agents.sandbox.levels import LEVELS
from arbiter.contest import secret
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.secret import Secret
from arbiter.contest.statistics.pairs import DealKey, deal_of
from arbiter.errors import UserError
from arbiter.playing.job import DealSeed
from arbiter.records import at_rest
from arbiter.records.folder_lock import held
from arbiter.records.format import AnnulledLine, Header
from arbiter.records.reader import Record, load_header, load_record, read_file
from arbiter.records.stderr_log import log_path
from arbiter.records.summary import summarise
from arbiter.records.writer import SUFFIX, now

ANNULLED = "annulled"
"""Subfolder of annulled games."""
LEFT_OUT = "left_out"
"""Subfolder for records that do not count because they were changed or do not belong to this contest."""
_LOCK = ".lock"
_NAME_LETTERS = 60


class Ledger:
    """The games played so far, with their outcomes and their numbers."""

    def __init__(self, folder: Path, protocol: str = "") -> None:
        """Read all records in ``folder``; ``protocol`` is the name of theirs. Raises UserError if the secret of the contest or
        an archive cannot be read."""
        self.folder, self._protocol = folder, protocol
        self.played: dict[ScheduledGame, GameSummary] = {}
        self.numbers: dict[ScheduledGame, int] = {}
        """Numbers of games, as in the names of their files; games still to be played have one as well."""
        self._taken: set[int] = set()
        self._last = 0
        """The highest number among the games that the schedule has reached."""
        self.header: Header | None = None
        """The header of one of the games, for the conditions that all of them share."""
        self.level: str | None = None
        """The weakest sandbox level among the games."""
        self.secrets: list[Secret] = secret.load_secrets(folder)
        """The secrets of the contest, the current one last; empty if agents can predict its deals."""
        self._seeds: dict[DealKey, DealSeed] = {}
        """The seeds of the deals that have been played."""
        self._hosts: dict[DealKey, str] = {}
        """The machine of a cluster that each deal was played on."""
        self.unfinished: list[Path] = []
        """Records without a result."""
        self.annulled_in_place: list[Path] = []
        """Records of annulled games that were not moved to their subfolder before the arbiter was stopped."""
        self.damaged: list[str] = []
        """Messages about records that cannot be read."""
        self.left_out: dict[Path, str] = {}
        """Records that do not count, each with the reason."""
        for path in sorted({*folder.glob(f"*{SUFFIX}"), *at_rest.paths(folder)}) if folder.is_dir() else ():
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            record = load_record(path)
        except at_rest.UnreadableArchive:
            raise  # else thousands of games would be missing from the standings, and played again
        except UserError as error:
            if not _is_gone(error):  # by an arbiter that runs this contest
                self._file_unreadable(path, error)
            return
        if record.annulled:
            self.annulled_in_place.append(path)
        elif reason := self._why_foreign(record):
            self.left_out[path] = reason
        elif record.result is None:
            self.unfinished.append(path)
        else:
            self._enter_record(record)

    def _file_unreadable(self, path: Path, error: UserError) -> None:
        try:
            interrupted = b"\n" not in read_file(path)  # before its first line was complete
        except UserError as same:
            interrupted, error = False, same
        if interrupted:
            self.unfinished.append(path)
        elif not _is_gone(error):
            self.damaged.append(str(error))

    def _why_foreign(self, record: Record) -> str:
        """Return why a record does not belong to this contest; empty if it does."""
        header, result = record.header, record.result
        if not header.contest:
            return "it is not a game of a contest"
        if self._protocol not in ("", header.protocol):
            return f"it is a game of {header.protocol}, not of {self._protocol}"
        if header.sandbox not in LEVELS:
            return f"its sandbox level {header.sandbox!r} does not exist"
        if self.secrets:
            drawn = next((one for one in self.secrets if one.commitment == header.commitment), None)
            if drawn is None:
                return "it was not played with the secret of this contest"
            if result and result.deal_seed != drawn.deal_seed(header.seed).seed:
                return "its seed does not follow from the secret of this contest"
        return ""

    def _enter_record(self, record: Record) -> None:
        digest = record.digest()
        if not record.is_unchanged(digest):
            self.left_out[record.path] = "it was changed after its game: its digest does not match"
            return
        header, outcome = record.header, summarise(record, digest)
        if outcome.game in self.played:
            self.left_out[record.path] = f"it is a second record of game {self.numbers[outcome.game]}"
            return
        self.header = self.header or header
        self._enter(outcome, header.sandbox)

    def _enter(self, outcome: GameSummary, level: str) -> None:
        if self.level is None or LEVELS.index(level) < LEVELS.index(self.level):
            self.level = level
        self.played[outcome.game] = outcome
        if outcome.host:
            self._hosts[deal_of(outcome.game)] = outcome.host
        if outcome.deal_seed is not None:
            self._seeds[deal_of(outcome.game)] = DealSeed(outcome.commitment, outcome.deal_seed)
        self.numbers[outcome.game] = outcome.number
        self._taken.add(outcome.number)

    def add(self, path: Path) -> GameSummary | None:
        """Enter a game that has just been played; None if it has no record, or a record without a result."""
        try:
            record = load_record(path)
        except UserError:
            return None
        if record.result is None:
            return None
        self._enter_record(record)
        return next((outcome for outcome in self.played.values() if outcome.record == str(path)), None)

    def add_outcome(self, outcome: GameSummary, path: Path, level: str) -> GameSummary:
        """Enter a game from the outcome that its worker reports, which saves reading the record."""
        self.header = self.header or load_header(path)
        outcome = msgspec.structs.replace(outcome, record=str(path))
        self._enter(outcome, level)
        return outcome

    def snapshot(self) -> Ledger:
        """Return a copy that stays as it is while games are entered here."""
        made = copy.copy(self)
        made.played, made.numbers, made._taken = dict(self.played), dict(self.numbers), set(self._taken)
        return made

    def host(self, game: ScheduledGame) -> str:
        """The machine of a cluster that other games of the same deal were played on; empty if there are none."""
        return self._hosts.get(deal_of(game), "")

    def deal_seed(self, game: ScheduledGame) -> DealSeed | None:
        """The seed of everything random in a game; None without a secret, when that is its own.

        Games of the same agents with the same number share the deal, even if another secret was drawn in between.
        """
        if not self.secrets:
            return None
        return self._seeds.get(deal_of(game)) or self.secrets[-1].deal_seed(game.seed)

    def draw_secret(self) -> None:
        """Draw a secret for the games to come, and save it before the first of them."""
        drawn = [*self.secrets, secret.draw()]
        secret.save(self.folder, drawn)
        self.secrets = drawn

    def keep(self, games: Iterable[ScheduledGame]) -> int:
        """Forget all games but these; returns how many were forgotten."""
        before = len(self.played)
        self.played = {game: self.played[game] for game in games if game in self.played}
        return before - len(self.played)

    def void(self, agents: Collection[str]) -> list[GameSummary]:
        """Mark the games of these agents as void; returns them."""
        for game, outcome in self.played.items():
            if not set(game.seats).isdisjoint(agents):
                self.played[game] = msgspec.structs.replace(outcome, annulled="set aside")
        return [outcome for outcome in self.played.values() if outcome.annulled]

    def remove_unfinished(self) -> int:
        """Remove records without a result, so that their games can be played again; returns how many there were."""
        for path in self.annulled_in_place:
            self._move(path, ANNULLED)
        self.annulled_in_place.clear()
        for path in self.unfinished:
            path.unlink(missing_ok=True)
        count = len(self.unfinished)
        self.unfinished.clear()
        return count

    def put_away_left_out(self) -> None:
        """Move the records that do not count to their subfolder, so that their games can be played again."""
        for path in self.left_out:
            self._move(path, LEFT_OUT)

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
        if any((self.folder / ANNULLED).glob(f"{number:05d}-*")):
            raise UserError(f"game {number}: has been annulled already, and not been played again yet")
        raise UserError(f"game {number}: no such game in {self.folder}")

    def annul(self, game: ScheduledGame, because: str) -> Path:
        """Annul a game; returns the new path of its record."""
        path = Path(self.played[game].record)
        at_rest.check_loose(path)
        line = msgspec.json.encode(AnnulledLine(because=because, when=now()))
        with path.open("ab") as file:
            file.write(line + b"\n")
        del self.played[game]
        return self._move(path, ANNULLED)

    def _move(self, path: Path, subfolder: str) -> Path:
        at_rest.check_loose(path)
        folder = self.folder / subfolder
        folder.mkdir(exist_ok=True)
        number = 1
        while os.path.lexists(target := folder / f"{path.stem}-{number}{SUFFIX}"):
            number += 1
        path.rename(target)
        with contextlib.suppress(FileNotFoundError):  # most games have no log
            log_path(path).rename(log_path(target))
        return target


def _is_gone(error: UserError) -> bool:
    return isinstance(error.__context__, FileNotFoundError)


@contextlib.contextmanager
def contest_lock(folder: Path) -> Iterator[None]:
    """Lock the folder of a contest against other arbiters within the block. Raises UserError."""
    lock = held(
        folder / _LOCK, os.O_CREAT | os.O_RDWR, busy=f"{folder} is in use: another arbiter is running this contest"
    )
    with contextlib.ExitStack() as stack:
        try:
            # Agents may run as other users, which must not learn the deals of later games from records of the same deal.
            folder.mkdir(0o700, parents=True, exist_ok=True)
            stack.enter_context(lock)
        except OSError as error:
            raise UserError(f"cannot save games in {folder}: {error.strerror}") from None
        yield
