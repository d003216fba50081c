"""The archives that a machine has received from heads, by hash."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import time
from pathlib import Path

from arbiter.agents.building.unpack import unpack_build
from arbiter.cluster.host import cluster_folder
from arbiter.cluster.payload import INSIDE
from arbiter.errors import UserError

_KEPT_S = 30 * 86_400
_SUFFIX = ".tar"


class ArchiveStore:
    """A folder of archives. Several processes may use it at the same time."""

    def __init__(self) -> None:
        self._folder = store_folder()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def missing(self, keys: list[str]) -> list[str]:
        """Return those that are not here, and mark the others as used."""
        absent = []
        for key in keys:
            try:
                os.utime(self._path(key))
            except FileNotFoundError:
                absent.append(key)
        return absent

    def add(self, key: str, data: bytes) -> None:
        """Keep an archive. Raises UserError if it was damaged on the way."""
        if hashlib.sha256(data).hexdigest() != key:
            raise UserError("an archive was damaged on the way")
        new = self._folder / f".{os.getpid()}-{time.monotonic_ns()}"
        new.write_bytes(data)
        new.rename(self._path(key))

    def unpack(self, key: str, folder: Path) -> Path:
        """Unpack an archive into a new folder, and return where its content is. Raises UserError if it is damaged."""
        folder.mkdir(parents=True)
        try:
            data = self._path(key).read_bytes()
        except OSError as error:
            raise UserError(f"an archive that was sent is gone: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != key:
            self._path(key).unlink(missing_ok=True)
            raise UserError("an archive in the cache is damaged; it was removed, try again")
        unpack_build(io.BytesIO(data), folder, "an archive that was sent")
        return folder / INSIDE

    def prune(self) -> None:
        """Remove archives that were not used for a month, and what was left of those that did not arrive."""
        for path in self._folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another worker has removed it
                if time.time() - path.stat().st_mtime > _KEPT_S:
                    path.unlink()

    def _path(self, key: str) -> Path:
        if not key.isalnum():
            raise UserError(f"{key!r} is not the hash of an archive")
        return self._folder / f"{key}{_SUFFIX}"


def store_folder() -> Path:
    """Return where this machine keeps archives."""
    return cluster_folder() / "archives"
