"""One arbiter at a time changes the files of a folder of saved games, and what a killed one has left is cleared away."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from arbiter.errors import UserError

PARTIAL = ".partial"
"""The end of temporary names, which begin with a dot."""


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder against other arbiters that pack, unpack or prune it. Raises UserError."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{folder} is in use: another arbiter packs, unpacks or prunes it") from None
        except OSError:  # a file system without locks
            pass
        _clear_away(folder)
        yield
    finally:
        os.close(handle)


def _clear_away(folder: Path) -> None:
    """Remove what a run that was killed has left under temporary names."""
    for name in [path.name for path in folder.iterdir()]:
        if name.startswith(".") and name.endswith(PARTIAL):
            (folder / name).unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
