"""Check that the seeds of saved games follow from the secrets of their contests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from arbiter.contest import secret
from arbiter.contest.ledger import ANNULLED, LEFT_OUT, contest_lock
from arbiter.contest.saved_definition import CONTEST_FILE, saved_texts
from arbiter.contest.secret import SECRET_FILE, Secret
from arbiter.errors import UserError
from arbiter.records.reader import Record
from arbiter.text import count


class CheckedSecret(msgspec.Struct, kw_only=True):
    """A commitment of a contest, and how many of the games that name it follow from its secret."""

    folder: str
    commitment: str
    secret: str = ""
    """Empty until it is revealed."""
    games: int = 0
    """Finished games that name this commitment."""
    checked: int = 0
    """Games whose seed follows from the secret."""

    def sentence(self) -> str:
        """Return the outcome of the check."""
        if not self.secret and self.checked < self.games:
            return (
                f"{self.commitment}: its secret is not known here, so {count(self.games, 'game')} could not be checked"
            )
        shown = f"secret {self.secret}" if self.secret else "a secret that is not revealed yet"
        return f"{self.commitment} is that of {shown}; {self.checked} of {count(self.games, 'game')} follow from it"


class DealCheck:
    """Checks records one by one. The secret of a contest is looked for beside its records."""

    def __init__(self) -> None:
        self._published: dict[Path, list[str]] = {}
        self._known: dict[Path, list[Secret] | UserError] = {}
        self._found: dict[tuple[Path, str], CheckedSecret] = {}

    def differences(self, record: Record) -> Iterator[str]:
        """Yield what is wrong with the seed of a record, one line each."""
        commitment, folder = record.header.commitment, record.path.parent
        folder = folder.parent if folder.name in (ANNULLED, LEFT_OUT) else folder
        known = self._secrets(folder)
        published = self._published[folder]
        if published and commitment not in published:
            found = commitment or "no commitment"
            yield f"the header has {found}, but {CONTEST_FILE} has {', '.join(published)}"
        if not commitment or record.result is None:
            return
        if isinstance(known, UserError):
            yield str(known)
            return
        drawn = next((one for one in known if one.commitment == commitment), None)
        if drawn is None and known:
            yield f"{SECRET_FILE} has no secret with {commitment}"
            return
        line = self._found.setdefault(
            (folder, commitment),
            CheckedSecret(
                folder=str(folder), commitment=commitment, secret=drawn.secret if drawn and drawn.revealed else ""
            ),
        )
        line.games += 1
        if drawn and drawn.deal_seed(record.header.seed).seed != record.seed:
            yield f"the seed of deal {record.header.seed} does not follow from the secret with {commitment}"
        elif drawn:
            line.checked += 1

    def secrets(self) -> list[CheckedSecret]:
        """Return what was found out about the secrets of the records so far."""
        return list(self._found.values())

    def _secrets(self, folder: Path) -> list[Secret] | UserError:
        if folder not in self._known:
            self._published[folder] = saved_texts(folder, "commitments")
            try:
                self._known[folder] = secret.load_secrets(folder)
            except UserError as error:
                self._known[folder] = error
        return self._known[folder]


def reveal_secrets(folders: Iterable[Path]) -> None:
    """Reveal the secrets of the contests in these folders. Raises UserError."""
    for folder in folders:
        if not (folder / SECRET_FILE).is_file():
            raise UserError(f"{str(folder)!r} is not the folder of a contest with a secret: it has no {SECRET_FILE}")
        with contest_lock(folder):
            secret.reveal(folder)
