"""The archives that a machine has received from heads, by hash."""

from __future__ import annotations

import hashlib
import io
import shutil
from pathlib import Path

from arbiter.agents.building.archive import unpack_build
from arbiter.agents.prepare.cache import Cache
from arbiter.cluster.payload import INSIDE
from arbiter.errors import UserError

_FILE = "agent.tar"


class ArchiveStore(Cache):
    """A cache with one archive in the folder of each key."""

    def __init__(self) -> None:
        super().__init__("archives")

    def missing(self, keys: list[str]) -> list[str]:
        """Return those that are not here, and mark the others as used."""
        return [key for key in keys if self.find(_checked(key)) is None]

    def add(self, key: str, data: bytes) -> None:
        """Keep an archive. Raises UserError if it was damaged on the way."""
        if hashlib.sha256(data).hexdigest() != key:
            raise UserError("an archive was damaged on the way")

        def fill(folder: Path) -> None:
            path = folder / _FILE
            path.touch(0o600)  # it has the source of an agent
            path.write_bytes(data)

        self.store(key, fill)

    def unpack(self, key: str, folder: Path) -> Path:
        """Unpack an archive into a new folder, and return where its content is. Raises UserError if it is damaged."""
        folder.mkdir(parents=True)
        kept = self.folder / _checked(key)
        try:
            data = (kept / _FILE).read_bytes()
        except OSError as error:
            raise UserError(f"an archive that was sent is gone: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != key:
            shutil.rmtree(kept, ignore_errors=True)
            raise UserError("an archive in the cache is damaged; it was removed, try again")
        unpack_build(io.BytesIO(data), folder, "an archive that was sent")
        return folder / INSIDE


def _checked(key: str) -> str:
    if not key.isalnum():
        raise UserError(f"{key!r} is not the hash of an archive")
    return key
