"""Memory stalls and waits for a disk, from pressure stall information (PSI).

``full`` in ``memory.pressure`` is the time during which every thread of the agent that had something to do was held up by a
shortage of memory: the kernel was freeing pages for it, or fetching pages back that it had evicted. If the agent
reached its own memory limit meanwhile, it caused the shortage itself, and nothing is credited. Reading a file for the
first time is not a shortage of memory, so ordinary input is the agent's own time.

``some`` in ``io.pressure`` is the time during which at least one thread waited for a disk.
"""

from __future__ import annotations

import os
from pathlib import Path

FRESH_NS = 20_000_000
"""A snapshot serves all questions asked within this time; a stall in between is credited to the agent."""
UNKNOWN_NS = 1 << 62
"""Longer than any wait."""

Snapshot = tuple[int, int]
"""Nanoseconds of stalls, and how often the agent's own memory limit was reached."""


class MemoryPressure:
    """The memory pressure of one cgroup."""

    __slots__ = ("_hits", "_latest", "_read_ns", "_stalls")

    def __init__(self, stalls: Path, hits: Path) -> None:
        """``stalls`` is its ``memory.pressure``; ``hits`` its ``memory.events`` or, with version 1, ``memory.failcnt``. Raises
        OSError where the kernel does not keep them."""
        self._stalls = os.open(stalls, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self._hits = os.open(hits, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            os.close(self._stalls)
            raise
        self._read_ns, self._latest = 0, (0, 0)

    def snapshot(self, now_ns: int) -> Snapshot:
        """Return current or recent figures, to be passed to :meth:`since`."""
        if now_ns - self._read_ns >= FRESH_NS:
            self._read_ns, self._latest = now_ns, self._read()
        return self._latest

    def since(self, snapshot: Snapshot) -> int:
        """Return the nanoseconds of stalls since a snapshot that the agent did not cause."""
        stalls_ns, hits = self._read()
        return max(0, stalls_ns - snapshot[0]) if hits == snapshot[1] else 0

    def _read(self) -> Snapshot:
        try:
            stalls, hits = os.pread(self._stalls, 256, 0), os.pread(self._hits, 256, 0).split()
        except OSError:  # the kernel was started without PSI, or the cgroup is gone
            return 0, 0
        reached = hits[hits.index(b"max") + 1] if b"max" in hits else hits[0] if len(hits) == 1 else b"0"
        return _full_ns(stalls), int(reached)

    def close(self) -> None:
        """Close the files behind the readings."""
        for fd in (self._stalls, self._hits):
            if fd >= 0:
                os.close(fd)
        self._stalls = self._hits = -1


class DiskPressure:
    """How long processes waited for a disk: those of one cgroup, or of the whole machine."""

    __slots__ = ("_fd", "_latest_ns", "_read_ns")

    def __init__(self, path: Path = Path("/proc/pressure/io")) -> None:
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1
        self._read_ns = self._latest_ns = 0

    def snapshot(self, now_ns: int) -> int:
        """Return the current or recent total, to be passed to :meth:`since`."""
        if now_ns - self._read_ns >= FRESH_NS:
            self._read_ns, self._latest_ns = now_ns, self._read()
        return self._latest_ns

    def since(self, snapshot_ns: int) -> int:
        """Return the nanoseconds waited since a snapshot; :data:`UNKNOWN_NS` where the kernel does not report them."""
        total_ns = self._read()
        return total_ns - snapshot_ns if total_ns >= 0 <= snapshot_ns else UNKNOWN_NS

    def _read(self) -> int:
        """The total in nanoseconds; -1 if it is unknown."""
        try:
            return _some_ns(os.pread(self._fd, 256, 0))
        except OSError:  # the kernel keeps no such figures, or the cgroup is gone
            return -1

    def close(self) -> None:
        """Close the file behind the readings."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _full_ns(text: bytes) -> int:
    """The total of the last line, which is ``full``; 0 if there is none."""
    return int(text.rpartition(b"total=")[2] or 0) * 1000


def _some_ns(text: bytes) -> int:
    """The total of the first line, which is ``some``; -1 if there is none."""
    found = text.partition(b"total=")[2].split(None, 1)
    return int(found[0]) * 1000 if found else -1
