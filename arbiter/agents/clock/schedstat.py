"""Run-queue wait: how long threads were ready to run but had to wait for a core.

Linux keeps two figures per thread (``/proc/PID/task/TID/schedstat``): the CPU time it used, and its run-queue wait. Both are
lost when the thread ends. The kernel does not say which process occupied the core meanwhile, but the agent itself cannot
have occupied it for longer than the CPU time of its other threads and processes. So an agent is credited only with the
wait beyond that: it gains nothing by crowding its core, and loses nothing by having a helper do the work. Nor does the
kernel say whether threads waited in turn or at the same time; the longest few are assumed to have waited in turn.

psutil reads neither figure, so everything here is read from /proc directly.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

Schedstat = tuple[int, int]
"""CPU time and run-queue wait of one thread, in nanoseconds."""
Snapshot = bytes | dict[int, Schedstat]
"""The raw line of a single thread, or the figures by thread id of several."""

_ALONE = 3
"""Link count of a process's ``task`` folder when it has one thread."""
_IN_TURN = 3
"""Threads assumed to wait in turn: a script, the program it starts, and one more for a part of the work."""
_MOST = 256
"""The most threads that are read, so that an agent with thousands cannot hold up the arbiter."""


def kernel_reports_waits() -> bool:
    """Whether this kernel reports run-queue waits."""
    try:
        with open("/proc/self/schedstat", "rb") as file:  # noqa: PTH123
            return len(file.read().split()) >= 2
    except OSError:
        return False


def net_waits(before: Mapping[int, Schedstat], now: Mapping[int, Schedstat], cpu_ns: int) -> dict[int, int]:
    """Return how long each thread waited between two snapshots for processes other than the agent's own, which used
    ``cpu_ns`` of CPU time altogether. Threads that did not wait are left out."""
    found: dict[int, int] = {}
    for thread, (used_ns, waited_ns) in now.items():
        used_before_ns, waited_before_ns = before.get(thread, (0, 0))
        siblings_ns = max(0, cpu_ns - (used_ns - used_before_ns))
        if (net_ns := waited_ns - waited_before_ns - siblings_ns) > 0:
            found[thread] = net_ns
    return found


def total_wait(waits: Mapping[int, int]) -> int:
    """Return how long an agent was delayed, given the net wait of each of its threads."""
    return sum(sorted(waits.values())[-_IN_TURN:])


class RunQueueWait:
    """The run-queue wait of one thread of the arbiter's own; by default the thread that plays the game."""

    __slots__ = ("_fd",)

    def __init__(self, path: str = "/proc/thread-self/schedstat") -> None:
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._fd = -1

    def snapshot(self) -> bytes:
        """Return the current figures, to be passed to :meth:`since`."""
        try:
            return os.pread(self._fd, 64, 0)
        except OSError:
            return b""

    def since(self, snapshot: bytes) -> int:
        """Return the nanoseconds waited since a snapshot; 0 where the kernel does not report them."""
        return max(0, _parse(self.snapshot())[1] - _parse(snapshot)[1]) if snapshot else 0

    def close(self) -> None:
        """Close the file behind the readings."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class ThreadStats:
    """Scheduler figures of all threads of an agent: those of its process and of its helpers.

    An agent with one thread, the usual case, is read through a descriptor that stays open.
    """

    __slots__ = ("_children", "_helpers", "_pid", "_several", "_single", "_task")

    def __init__(self, pid: int, helpers: Callable[[], Iterable[int]]) -> None:
        """``helpers`` lists the agent's other processes."""
        self._pid, self._helpers = pid, helpers
        # Opened on first use: an agent spawned for one move has usually ended before.
        self._single = self._task = self._children = -1
        self._several = False

    def snapshot(self) -> Snapshot:
        """Return the current figures as cheaply as possible, to be passed to :meth:`waits`."""
        return self._read_all() if self._has_company() else self._read_single()

    def waits(self, before: Snapshot, cpu_ns: int) -> dict[int, int]:
        """Return the net waits by thread since a snapshot; see :func:`net_waits`."""
        if not isinstance(before, dict):
            before = {self._pid: _parse(before)}
        now = self._read_all() if self._has_company() else {self._pid: _parse(self._read_single())}
        return net_waits(before, now, cpu_ns)

    def _has_company(self) -> bool:
        """Whether there are several threads or processes, or were at the last reading."""
        if self._several:
            return True
        try:
            if self._task < 0:
                folder = f"/proc/{self._pid}/task"
                self._task = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                self._children = os.open(f"{folder}/{self._pid}/children", os.O_RDONLY | os.O_CLOEXEC)
            return os.fstat(self._task).st_nlink > _ALONE or bool(
                self._children >= 0 and os.pread(self._children, 1, 0)
            )
        except OSError:  # the process has ended, or this kernel does not list children
            return False

    def _read_single(self) -> bytes:
        try:
            if self._single < 0:
                self._single = os.open(f"/proc/{self._pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            return os.pread(self._single, 64, 0)
        except OSError:
            return b""

    def _read_all(self) -> dict[int, Schedstat]:
        found: dict[int, Schedstat] = {}
        for pid in islice((self._pid, *islice(self._helpers(), _MOST)), _MOST):
            with contextlib.suppress(OSError):
                for thread in islice(os.listdir(f"/proc/{pid}/task"), _MOST - len(found)):  # noqa: PTH208
                    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:  # noqa: PTH123
                        found[int(thread)] = _parse(file.read())
        self._several = len(found) > 1
        return found

    def close(self) -> None:
        """Close the files behind the readings."""
        for fd in (self._single, self._task, self._children):
            if fd >= 0:
                os.close(fd)
        self._single = self._task = self._children = -1


def _parse(line: bytes) -> Schedstat:
    figures = line.split()
    return (int(figures[0]), int(figures[1])) if len(figures) > 1 else (0, 0)
