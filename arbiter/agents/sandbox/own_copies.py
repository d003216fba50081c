"""Copies of the files next to an agent's program, for a level at which a link would let it change the originals.

Files that are too large to be copied for every game are still links.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterable

import msgspec

FileId = tuple[int, int]
"""Device and inode."""

MOST_BYTES = 64 << 20
"""The most that is copied for one agent, so that it takes no noticeable time."""
MOST_FILES = 2000
_DEEPEST = 64
_OPEN = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""Never wait for the other end of a FIFO."""


class OwnCopies(msgspec.Struct):
    """The copies in one agent's folder."""

    made: dict[FileId, int] = msgspec.field(default_factory=dict)
    """When each was made, by the clock of the file system, which no program can set."""
    _bytes: int = 0
    _entries: int = 0

    def fill(self, folder: str, entries: Iterable[tuple[str, str]]) -> None:
        """Copy entries, given as a name and the original's path, to an empty folder; make links to those that are too many, too
        large or not files. Raises OSError."""
        self.made.clear()
        self._bytes = self._entries = 0
        for name, original in entries:
            self._put(original, os.path.join(folder, name), 1)

    def _put(self, original: str, place: str, depth: int) -> None:
        self._entries += 1
        with contextlib.suppress(OSError):  # what cannot be copied becomes a link
            if self._entries <= MOST_FILES and self._copied(original, place, depth):
                return
        with contextlib.suppress(FileNotFoundError, IsADirectoryError):
            os.unlink(place)  # a copy that could not be completed
        os.symlink(original, place)

    def _copied(self, original: str, place: str, depth: int) -> bool:
        """Copy one entry if that is possible."""
        found = os.stat(original)
        if stat.S_ISDIR(found.st_mode):
            if depth > _DEEPEST or os.path.islink(original) or not os.access(original, os.R_OK | os.X_OK):
                return False
            os.mkdir(place, 0o700)
            for name in sorted(os.listdir(original)):
                self._put(os.path.join(original, name), os.path.join(place, name), depth + 1)
            return True
        if not stat.S_ISREG(found.st_mode) or not os.access(original, os.R_OK):
            return False
        if found.st_size > MOST_BYTES - self._bytes:
            return False
        self._bytes += found.st_size
        self._copy(original, place, found)
        return True

    def _copy(self, original: str, place: str, expected: os.stat_result) -> None:
        with open(os.open(original, _OPEN), "rb") as source, open(place, "xb") as copy:
            if os.path.samestat(os.fstat(source.fileno()), expected):  # not replaced meanwhile
                shutil.copyfileobj(source, copy)
            os.fchmod(copy.fileno(), 0o600 | stat.S_IMODE(expected.st_mode) & 0o777)
            copy.flush()
            made = os.fstat(copy.fileno())
            self.made[made.st_dev, made.st_ino] = made.st_ctime_ns
