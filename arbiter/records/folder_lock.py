"""Locks a folder of saved games, so that one arbiter at a time changes its files, and removes what a killed one has left."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from arbiter.errors import UserError
from arbiter.output_files import PARTIAL


@contextlib.contextmanager
def held(path: Path, flags: int, *, busy: str) -> Iterator[None]:
    """Open a file or folder and hold an exclusive lock on it. Raises UserError(busy) if another process holds it, and OSError."""
    handle = os.open(path, flags | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(busy) from None
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Lock a folder against other arbiters that pack, unpack or prune it. Raises UserError, and OSError if it does not exist."""
    busy = f"{folder} is in use: another arbiter is packing, unpacking or pruning it"
    with held(folder, os.O_RDONLY | os.O_DIRECTORY, busy=busy):
        _clear_away(folder)
        try:
            yield
        finally:  # else a run that failed because the disk is full would leave it full
            _clear_away(folder)


def _clear_away(folder: Path) -> None:
    """Remove what is left under temporary names by a run that failed or was killed."""
    for name in [path.name for path in folder.iterdir()]:
        if name.startswith(".") and name.endswith(PARTIAL):
            (folder / name).unlink(missing_ok=True)
