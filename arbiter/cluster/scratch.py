"""The folder of a run on a host: unpacked agents, and records until they have been sent to the head."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

from arbiter.agents.prepare.cache import is_abandoned
from arbiter.cluster.host import cluster_folder


class ScratchFolder:
    """A folder that is locked until it is removed or this process ends; the next one made on this machine removes those
    of processes that are gone."""

    def __init__(self, run: str) -> None:
        folder = cluster_folder() / "runs"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        guard = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(guard, fcntl.LOCK_EX)
            for old in folder.iterdir():
                if old.is_dir() and not old.is_symlink() and is_abandoned(old):
                    shutil.rmtree(old, ignore_errors=True)
            self.path = Path(tempfile.mkdtemp(prefix=f"{run}-", dir=folder))
            self._held = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(self._held, fcntl.LOCK_EX)
        finally:
            os.close(guard)

    def remove(self) -> None:
        """Remove it with everything in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
