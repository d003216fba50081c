"""Reading an agent's program before it is started, so that its clock does not run while the disk is read.

A program whose pages were evicted from memory is paged in while it runs. The kernel cannot tell such a wait from input that the
agent asked for, so it is prevented instead. Nothing an agent does is credited here, so nothing can be gained.
"""

from __future__ import annotations

import contextlib
import os
import stat

_MOST_BYTES = 64 << 20
"""Larger programs are read in part."""
_CHUNK_BYTES = 1 << 20


def warm(path: str) -> bool:
    """Have a program's file in memory; return whether it had to be read. Looks at two pages to find out."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:  # it is found through the PATH, or not at all, which the spawn reports
        return False
    try:
        file = os.fstat(fd)
        if not stat.S_ISREG(file.st_mode) or _is_resident(fd, file.st_size):
            return False
        buffer = bytearray(_CHUNK_BYTES)
        with contextlib.suppress(OSError):
            for start in range(0, min(file.st_size, _MOST_BYTES), _CHUNK_BYTES):
                os.preadv(fd, [buffer], start)
        return True
    finally:
        os.close(fd)


def _is_resident(fd: int, size: int) -> bool:
    page = bytearray(1)
    try:
        for offset in (0, size // 2):
            os.preadv(fd, [page], offset, os.RWF_NOWAIT)
    except BlockingIOError:
        return False
    except OSError:  # this file system cannot tell
        return True
    return True
