"""What an agent is charged for an answer. Pure arithmetic, but for the one reading that only the kernel can give.

On a busy machine a process is often ready to run and has to wait for a core. Linux says how long
(see :mod:`arbiter.agents.clock.schedstat`), so the fair charge leaves that out::

    charged = min(wall, max(cpu, wall - waited))

Nor does an agent pay for the arbiter, which has to wait for a core as well before it can take note of an answer; that time
counts as waited, too. An agent that sleeps pays for its sleep, since a sleeper does not wait for a core. An agent that crowds its core with
threads makes itself wait, but the CPU time of all its threads counts, so it buys nothing.
"""

from __future__ import annotations

import os
from typing import Literal

Clock = Literal["fair", "wall", "cpu"]
CLOCKS: tuple[Clock, ...] = ("fair", "wall", "cpu")

_SECOND_NS = 1_000_000_000


def charge(clock: Clock, wall_ns: int, cpu_ns: int, waited_ns: int) -> int:
    """The time an answer costs its agent."""
    if clock == "wall":
        return wall_ns
    if clock == "cpu":
        return min(wall_ns, cpu_ns)
    return min(wall_ns, max(cpu_ns, wall_ns - waited_ns))


def hard_limit_ns(limit_ns: int) -> int:
    """However little it is charged, an agent never gets longer than this on the wall."""
    return 10 * limit_ns + _SECOND_NS


class Budget:
    """The clock of one seat for a whole game: what is left of a total, and how many overruns are still forgiven."""

    __slots__ = ("_allowed_ns", "_grace", "_increment_ns", "_margin_ns", "_total_ns", "left_ns")

    def __init__(self, total_ns: int, increment_ns: int, grace: int, margin_ns: int) -> None:
        self._total_ns, self._increment_ns = total_ns, increment_ns
        self._grace, self._margin_ns = (grace, margin_ns) if grace and margin_ns else (0, 0)
        self._allowed_ns = 0
        self.left_ns: int | None = total_ns or None
        """Of the total; None if there is none."""

    @property
    def counts(self) -> bool:
        """Whether there is anything to keep account of."""
        return bool(self._total_ns or self._grace)

    @property
    def used_up(self) -> bool:
        """Nothing is left to answer in."""
        return self.left_ns is not None and self.left_ns <= 0

    def allow(self, limit_ns: int) -> int:
        """The time for the next answer, of at most ``limit_ns`` by itself."""
        self._allowed_ns = limit_ns if self.left_ns is None else min(limit_ns, self.left_ns)
        return self._allowed_ns + (self._margin_ns if self._grace else 0)

    def skip(self) -> None:
        """An answer that was not even asked for."""
        if self.left_ns is not None:
            self.left_ns += self._increment_ns

    def spend(self, charged_ns: int) -> int | None:
        """Settle an answer. Returns by how much it overran its time, if that is to be forgiven."""
        over_ns = charged_ns - self._allowed_ns
        forgiven = 0 < over_ns <= self._margin_ns and self._grace > 0
        if forgiven:
            self._grace -= 1
        if self.left_ns is not None:
            self.left_ns = max(0, self.left_ns - charged_ns) + self._increment_ns
        return over_ns if forgiven else None


def kernel_tells() -> bool:
    """Whether this machine says how long a process had to wait for a core."""
    try:
        with open("/proc/self/schedstat", "rb") as file:  # noqa: PTH123
            return len(file.read().split()) >= 2
    except OSError:
        return False


class RunQueueWait:
    """How long one thread of the arbiter's own has waited for a core; by default the one that plays the game."""

    __slots__ = ("_fd",)

    def __init__(self, path: str = "/proc/thread-self/schedstat") -> None:
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1

    def mark(self) -> bytes:
        """The figure of now, for :meth:`since`."""
        try:
            return os.pread(self._fd, 64, 0)
        except OSError:
            return b""

    def since(self, mark: bytes) -> int:
        """Nanoseconds waited since a mark; 0 where the kernel does not tell."""
        return max(0, _second(self.mark()) - _second(mark)) if mark else 0

    def close(self) -> None:
        """No more readings."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _second(figures: bytes) -> int:
    words = figures.split()
    return int(words[1]) if len(words) > 1 else 0
