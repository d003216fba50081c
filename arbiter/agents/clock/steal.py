"""CPU steal time: how long the host of a virtual machine took its cores away.

Meanwhile a running process uses no CPU time and is not in the run queue either, so it would be charged as if it had slept.
Linux counts steal time per core (``steal`` in ``/proc/stat``), in steps of ten milliseconds
and only at the next timer tick, so doubts are resolved in the agent's favour. psutil reports it too, but only for the
whole machine or with all other CPU times parsed, which takes several times as long.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable
from pathlib import Path
from time import monotonic_ns

FRESH_NS = 20_000_000
"""A snapshot serves all questions asked within this time; steal time in between is credited to the agent."""
REPORT_DELAY_NS = 10_000_000
"""Steal time has been counted by the kernel after this long."""
_SHARE = 100
"""Reading takes longer on large machines: spend at most a hundredth of the time on it."""
_STEP_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_MOST = 1 << 17
"""The most bytes that are read: enough for a thousand cores, which come first in the file."""
_STEAL = 8
"""Position of the steal column."""


@functools.cache
def is_virtual() -> bool:
    """Whether this is a virtual machine, which its host may pause at any time."""
    try:
        return b" hypervisor" in Path("/proc/cpuinfo").read_bytes()
    except OSError:
        return False


class StealTime:
    """CPU steal time of this machine's cores."""

    __slots__ = ("_fd", "_figures", "_fresh_ns", "_read_ns")

    def __init__(self, path: Path = Path("/proc/stat")) -> None:
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1
        self._figures, self._read_ns, self._fresh_ns = b"", 0, 0

    def snapshot(self, now_ns: int) -> bytes:
        """Return current or recent figures, to be passed to :meth:`since`."""
        if now_ns - self._read_ns >= self._fresh_ns:
            self._read()
        return self._figures

    def since(self, snapshot: bytes, cores: Iterable[int]) -> int:
        """Return the upper bound, in nanoseconds, on steal time of one of these cores since a snapshot."""
        self._read()
        before, after = _by_core(snapshot), _by_core(self._figures)
        steps = max((after[core] - before[core] for core in cores if core in after and core in before), default=0)
        return (steps + 1) * _STEP_NS if steps > 0 else 0

    def ever(self) -> bool:
        """Whether any time has been stolen since this machine booted; on most machines none ever is."""
        return any(_by_core(self._figures).values())

    def _read(self) -> None:
        start_ns = monotonic_ns()
        try:
            self._figures = os.pread(self._fd, _MOST, 0)
        except OSError:
            self._figures = b""
        self._read_ns = monotonic_ns()
        self._fresh_ns = max(FRESH_NS, _SHARE * (self._read_ns - start_ns))

    def close(self) -> None:
        """Close the file behind the readings."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _by_core(figures: bytes) -> dict[int, int]:
    found: dict[int, int] = {}
    for line in figures.splitlines():
        words = line.split()
        if not words or not words[0].startswith(b"cpu"):
            break
        if words[0] != b"cpu" and len(words) > _STEAL:
            found[int(words[0][3:])] = int(words[_STEAL])
    return found
