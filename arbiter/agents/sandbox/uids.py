"""Uids that agents run under when root runs the arbiter: one per box on this machine, so that none can affect another.

A uid is reserved by locking a file in a folder that only root can enter. The kernel releases the lock when the process that
holds it ends for any reason, so there is no list to keep, and no other user of the machine can use the uids up.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat

FIRST_UID = 20001
_COUNT = 4000
FOLDERS = ("/run/arbiter-uids", "/tmp/arbiter-uids")
"""Folders for the lock files: the first one that only we can enter is used. The second is for machines whose /run is
read-only."""


def can_become(uid: int) -> bool:
    """Return whether this uid exists in our user namespace; in that of a container, root may be the only one."""
    try:
        with open("/proc/self/uid_map", encoding="ascii") as ranges:
            rows = [list(map(int, line.split())) for line in ranges]
    except OSError:
        return False
    return any(first <= uid < first + count for first, _, count in rows)


class ReservedUid:
    """A uid reserved for one agent."""

    def __init__(self) -> None:
        folder = _lock_folder()
        try:
            for uid in range(FIRST_UID, FIRST_UID + _COUNT):
                self._lock = os.open(
                    str(uid), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600, dir_fd=folder
                )
                try:
                    fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(self._lock)
                    continue
                self.uid = uid
                return
        finally:
            os.close(folder)
        raise OSError(0, f"all {_COUNT} uids for agents are in use")

    def close(self) -> None:
        """Release it."""
        os.close(self._lock)


def _lock_folder() -> int:
    """Open the folder of lock files, creating it if necessary. Nobody else may enter it: a user who can open a lock
    file can hold the lock."""
    for path in FOLDERS:
        with contextlib.suppress(OSError):
            os.mkdir(path, 0o700)
        try:
            folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            continue
        facts = os.fstat(folder)
        if facts.st_uid == os.geteuid() and not stat.S_IMODE(facts.st_mode) & 0o077:
            return folder
        os.close(folder)
    raise OSError(errno.EACCES, f"no folder for the locks of agents' uids: remove {' or '.join(FOLDERS)}")
