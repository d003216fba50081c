"""CPU time of agents without cgroups, counted by perf events: adding up processes would miss those that exit unseen.

A program that is spawned for one move is counted from its start, by a counter of its spawner. A long-lived agent is
counted from the first time it had to wait for its core while it was asked: only then could hidden CPU time of its own
pass for time that it waited for others. Before that, counting would only slow it down.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable

from arbiter.agents.launch import tree
from arbiter.agents.sandbox._box.counter import open_counter, read_counter

_ROUNDS = 10
_MOST = 256
"""The most threads that are counted, so that an agent with thousands cannot hold up the arbiter."""


class SpawnerCounter:
    """Counts everything that a spawner has started."""

    def __init__(self, fd: int, spawner: int) -> None:
        self._fd, self._clock = fd, (~spawner << 3) | 2

    def cpu_ns(self) -> int:
        """Return the CPU time so far. Raises OSError when the spawner is gone."""
        own_ns = time.clock_gettime_ns(self._clock)
        return read_counter(self._fd) - own_ns


class TreeCounter:
    """Counts all processes of an agent and whatever they start."""

    def __init__(self, cpu_ns: int, pids: Callable[[], Iterable[int]]) -> None:
        """``cpu_ns`` is the CPU time of these processes until now. Raises OSError where counting is not allowed."""
        self._base_ns = cpu_ns
        self._fds: dict[int, int] = {}
        self.complete = False
        """Whether every thread is counted. If not, the CPU clocks of the processes are more complete."""
        try:
            for _ in range(_ROUNDS):  # until no thread has started another one before it was counted
                if not self._add(thread for pid in pids() for thread in tree.threads(pid)):
                    self.complete = len(self._fds) < _MOST
                    break
        except OSError:
            self.close()
            raise

    def _add(self, threads: Iterable[int]) -> bool:
        before = len(self._fds)
        for thread in threads:
            if thread not in self._fds and len(self._fds) < _MOST:
                with contextlib.suppress(ProcessLookupError):
                    self._fds[thread] = open_counter(thread)
        return len(self._fds) > before

    def cpu_ns(self) -> int:
        """Return the CPU time so far."""
        return self._base_ns + sum(map(read_counter, self._fds.values()))

    def close(self) -> None:
        """Stop counting."""
        for fd in self._fds.values():
            os.close(fd)
        self._fds.clear()
