"""Time that the host of a virtual machine took its cores away for.

To a process that is running its core then seems to stand still: it uses no CPU time, and it does not wait for a core
either, so it would be charged as if it had slept. Linux counts this time by core (``steal`` in ``/proc/stat``), in steps of
ten milliseconds and not before the next tick, so it is read with the benefit of the doubt for the agent.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable
from pathlib import Path
from time import monotonic_ns

FRESH_NS = 20_000_000
"""A reading serves as the mark of all questions that are asked so soon after it: what was stolen in between is a gift."""
SHARE = 100
"""On large machines reading takes longer: it may take a hundredth of the time at most."""
TOLD_NS = 10_000_000
"""After this what was stolen has been counted."""
_STEP_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
_MOST = 1 << 17
"""Of what is read: enough for a thousand cores, which come first."""
_STEAL = 8


@functools.cache
def is_virtual() -> bool:
    """Whether this is a virtual machine, which its host may stop at any time."""
    try:
        return b" hypervisor" in Path("/proc/cpuinfo").read_bytes()
    except OSError:
        return False


class StealTime:
    """What the host has taken so far."""

    __slots__ = ("_fd", "_figures", "_fresh_ns", "_read_ns")

    def __init__(self, path: Path = Path("/proc/stat")) -> None:
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1
        self._figures, self._read_ns, self._fresh_ns = b"", 0, 0

    def mark(self, now_ns: int) -> bytes:
        """The figures of now or of a moment ago, for :meth:`since`."""
        if now_ns - self._read_ns >= self._fresh_ns:
            self._read()
        return self._figures

    def since(self, mark: bytes, cores: Iterable[int]) -> int:
        """The most nanoseconds that may have been taken from one of these cores since a mark."""
        self._read()
        before, after = _by_core(mark), _by_core(self._figures)
        steps = max((after[core] - before[core] for core in cores if core in after and core in before), default=0)
        return (steps + 1) * _STEP_NS if steps > 0 else 0

    def ever(self) -> bool:
        """Whether anything has been taken since this machine started: most are not virtual, or have a host of their own."""
        return any(_by_core(self._figures).values())

    def _read(self) -> None:
        start_ns = monotonic_ns()
        try:
            self._figures = os.pread(self._fd, _MOST, 0)
        except OSError:
            self._figures = b""
        self._read_ns = monotonic_ns()
        self._fresh_ns = max(FRESH_NS, SHARE * (self._read_ns - start_ns))

    def close(self) -> None:
        """No more readings."""
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
