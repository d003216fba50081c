"""The teams' keys: drawn at random and stored as hashes.

Clients of the contest require keys of eight characters, which a fast hash would not protect: somebody with the file could try
all of them. So the hash takes a few milliseconds, and keys that were recognised are cached until the server stops, under an
HMAC with a secret that only this process has.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from arbiter.errors import UserError

KEY_LETTERS = 8
_SYMBOLS = "abcdefghijkmnpqrstuvwxyz23456789"
_COST = 1 << 10
"""The parameter n of scrypt: about 2 ms, and 1 MB of memory."""


def new_key() -> str:
    """Draw a key."""
    return "".join(secrets.choice(_SYMBOLS) for _ in range(KEY_LETTERS))


def check_key(key: str) -> None:
    """Raise UserError unless clients of the contest would accept a key."""
    if len(key) != KEY_LETTERS or not key.isascii() or not key.isalnum():
        raise UserError(f"a key must be {KEY_LETTERS} letters and digits")


class Keys:
    """The hashes of all keys, each with its team."""

    def __init__(self, salt: str, teams: Mapping[str, str]) -> None:
        """``teams`` maps the hashes of keys to teams."""
        self._salt = salt.encode()
        self._teams = dict(teams)
        self._secret = secrets.token_bytes(16)
        self._recognised: dict[bytes, str] = {}
        """The hashes of recognised keys, by their HMACs."""

    def hash(self, key: str) -> str:
        """Return the hash of a key, as stored."""
        return hashlib.scrypt(key.encode(errors="replace"), salt=self._salt, n=_COST, r=8, p=1, dklen=32).hex()

    def use(self, teams: Mapping[str, str]) -> None:
        """Accept these keys only, given the teams by the hashes of their keys."""
        self._teams = dict(teams)

    def recognised(self, key: str) -> str | None:
        """Return the team of a key that was recognised before, without hashing it."""
        return self._teams.get(self._recognised.get(self._hmac(key), ""))

    def team(self, key: str) -> str | None:
        """Return the team with this key. Takes a few milliseconds."""
        digest = self.hash(key)
        found = None
        for known, name in self._teams.items():  # all of them, so that the time reveals nothing
            if hmac.compare_digest(known, digest):
                found = name
        if found is not None:
            self._recognised[self._hmac(key)] = digest
        return found

    def _hmac(self, key: str) -> bytes:
        return hmac.digest(self._secret, key.encode(errors="replace"), "sha256")
