"""Stalls for want of memory, from the pressure stall information (PSI) of an agent's cgroup.

``full`` in ``memory.pressure`` is the time during which every thread of the agent that had something to do was held up by a
shortage of memory: the kernel was freeing pages for it, or fetching pages back that it had evicted. The shortage is the agent's
own doing if the agent reached its own memory limit meanwhile; then nothing is credited. Reading a file for the first time is
not a shortage of memory, so ordinary input is the agent's own time.
"""

from __future__ import annotations

import os
from pathlib import Path

FRESH_NS = 20_000_000
"""A snapshot serves all questions asked within this time; a stall in between is credited to the agent."""

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
        """Return the nanoseconds lost since a snapshot through no fault of the agent."""
        stalls_ns, hits = self._read()
        return max(0, stalls_ns - snapshot[0]) if hits == snapshot[1] else 0

    def _read(self) -> Snapshot:
        try:
            stalls, hits = os.pread(self._stalls, 256, 0), os.pread(self._hits, 256, 0).split()
        except OSError:  # the kernel was started without PSI, or the cgroup is gone
            return 0, 0
        total = stalls.rpartition(b"total=")[2]
        reached = hits[hits.index(b"max") + 1] if b"max" in hits else hits[0] if len(hits) == 1 else b"0"
        return int(total or 0) * 1000, int(reached)

    def close(self) -> None:
        """Close the files behind the readings."""
        for fd in (self._stalls, self._hits):
            if fd >= 0:
                os.close(fd)
        self._stalls = self._hits = -1
