"""Reads an agent's program into the page cache before it starts, so that its clock does not run while the disk is read.

A program whose pages were evicted is paged in while it runs. The kernel does not distinguish such a wait from reading
input, and an agent could exploit it if it were credited, so it is prevented instead.
"""

from __future__ import annotations

import contextlib
import os
import stat

_MOST_BYTES = 64 << 20
"""Only this much of a larger program is read."""
_CHUNK_BYTES = 1 << 20


class ProgramFile:
    """The file of a program, kept open for as long as the program may be started: a check then takes two system
    calls."""

    __slots__ = ("_fd", "_page", "_size")

    def __init__(self, path: str) -> None:
        self._fd, self._size, self._page = -1, 0, bytearray(1)
        with contextlib.suppress(OSError):  # it is found through the PATH, or not at all, which the spawn reports
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            file = os.fstat(self._fd)
            self._size = file.st_size
            if not stat.S_ISREG(file.st_mode):
                self.close()

    def warm(self) -> bool:
        """Read the file into the page cache if it is not there; return whether it had to be read. Checks two of its
        pages."""
        if self._fd < 0 or self._is_resident():
            return False
        buffer = bytearray(_CHUNK_BYTES)
        with contextlib.suppress(OSError):
            for start in range(0, min(self._size, _MOST_BYTES), _CHUNK_BYTES):
                os.preadv(self._fd, [buffer], start)
        return True

    def _is_resident(self) -> bool:
        page = [self._page]
        try:
            os.preadv(self._fd, page, 0, os.RWF_NOWAIT)
            os.preadv(self._fd, page, self._size // 2, os.RWF_NOWAIT)
        except BlockingIOError:
            return False
        except OSError:  # this file system cannot tell
            return True
        return True

    def close(self) -> None:
        """Close the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
