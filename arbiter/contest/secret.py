"""The secret of a contest, from which the seed of every deal follows.

Seeds such as 1, 2, 3 are not secret: an agent that knows the rules could compute the decks from them. A contest
therefore draws a secret before its first game and publishes only its SHA-256, the commitment. When the contest has ended
the secret is revealed, and anybody can check that the deals were not chosen: the secret has that SHA-256, and the seeds of all
deals are derived from it.

A contest that goes on after its secret was revealed draws another one for its further deals.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.output_files import replace_file
from arbiter.playing.job import DealSeed
from arbiter.records.reader import read_file
from arbiter.records.writer import now

SECRET_FILE = "secret.json"
"""In the folder of a contest; readable by its owner only until the secret is revealed."""


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret with its commitment."""

    commitment: str
    """``sha256:`` and the SHA-256 of the secret, in hexadecimal digits."""
    secret: str
    """128 random bits as 32 hexadecimal digits."""
    drawn: str
    """UTC."""
    revealed: str = ""
    """UTC; empty before."""

    def deal_seed(self, number: int) -> DealSeed:
        """Return the seed of the deal of that number: the first 128 bits of the HMAC-SHA-256 of ``deal NUMBER``."""
        code = hmac.digest(self.secret.encode(), f"deal {number}".encode(), "sha256")
        return DealSeed(self.commitment, int.from_bytes(code[:16]))

    def is_genuine(self) -> bool:
        """Whether it is the secret that was committed to."""
        return self.commitment == _commitment(self.secret)


def draw() -> Secret:
    """Draw a secret."""
    secret = secrets.token_hex(16)
    return Secret(commitment=_commitment(secret), secret=secret, drawn=now())


def _commitment(secret: str) -> str:
    return f"sha256:{hashlib.sha256(secret.encode()).hexdigest()}"


def load_secrets(folder: Path) -> list[Secret]:
    """Return the secrets of the contest in a folder, the current one last; none if it has none. Raises UserError."""
    file = folder / SECRET_FILE
    if not os.path.lexists(file):
        return []
    try:
        found = msgspec.json.decode(read_file(file), type=list[Secret])
    except msgspec.DecodeError as error:
        raise UserError(f"{file} is damaged ({error}): restore it, or give the contest another name") from None
    for secret in found:
        if not secret.is_genuine():
            raise UserError(
                f"{file}: the secret does not have the {secret.commitment}: restore it, or give the contest another name"
            )
    return found


def save(folder: Path, found: Sequence[Secret]) -> None:
    """Write the secrets in one step, and to the disk: games to come depend on them even after a power cut."""
    file = folder / SECRET_FILE
    mode = 0o644 if all(secret.revealed for secret in found) else 0o600
    data = msgspec.json.format(msgspec.json.encode(list(found)), indent=2) + b"\n"
    try:
        replace_file(file, data, mode, on_disk=True)
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None


def reveal(folder: Path) -> list[Secret]:
    """Reveal all secrets of the contest in a folder; returns them. Raises UserError."""
    found = load_secrets(folder)
    if any(not secret.revealed for secret in found):
        found = [msgspec.structs.replace(secret, revealed=secret.revealed or now()) for secret in found]
        save(folder, found)
    return found
