"""How long an agent had to wait for a core, told by thread.

Linux keeps two figures for every thread (``/proc/PID/task/TID/schedstat``): the CPU time it has used, and how long it was
ready to run while its core was somebody else's. A thread's figures go with it. Who else had the core is not told, but it was
the agent itself for no longer than its other threads and processes have used CPU time. So what counts for the agent is what
its threads have waited beyond that: it cannot buy time by crowding its core, nor does it lose any by having a helper do the
work. Whether they waited in turn or at the same time is not told either; the longest few are taken to have taken turns.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

Figures = tuple[int, int]
"""CPU time and waiting time, in nanoseconds."""
Mark = bytes | dict[int, Figures]
"""Of a single thread as the kernel says it; otherwise by thread."""

_ALONE = 3
"""Links of a process's ``task`` folder when it has one thread."""
_STATE, _RESTS = b"\nState:\t", b"\nvoluntary_ctxt_switches:\t"
_IN_TURN = 3
"""Threads that work in turn: such as a script, the program it starts, and another one for a part of the work."""
_MOST = 256
"""Threads that are looked at: whoever has more is not to keep us from hearing the others."""


class Threads:
    """All that work for an agent: those of its process, and of its helpers.

    An agent with one thread, which is the usual case, is read through a descriptor that stays open.
    """

    __slots__ = ("_children", "_helpers", "_pid", "_several", "_single", "_status", "_task")

    def __init__(self, pid: int, helpers: Callable[[], Iterable[int]]) -> None:
        """``helpers`` are other processes that work for it."""
        self._pid, self._helpers = pid, helpers
        # Opened when needed: who lives for a move is mostly gone before.
        self._single = self._task = self._children = self._status = -1
        self._several = False

    def mark(self) -> Mark:
        """The figures of now, as cheaply as they can be had, for :meth:`waited`."""
        return self._all() if self._has_company() else self._read_single()

    def waited(self, mark: Mark, cpu_ns: int) -> dict[int, int]:
        """Nanoseconds waited since a mark, by thread, through no doing of the agent, all of which has used so much CPU time
        since. Only those of whom the kernel tells, and who have."""
        before = mark if isinstance(mark, dict) else {self._pid: _figures(mark)}
        now = self._all() if self._has_company() else {self._pid: _figures(self._read_single())}
        found: dict[int, int] = {}
        for thread, (used_ns, waited_ns) in now.items():
            used_before_ns, waited_before_ns = before.get(thread, (0, 0))
            others_ns = max(0, cpu_ns - (used_ns - used_before_ns))
            if (net_ns := waited_ns - waited_before_ns - others_ns) > 0:
                found[thread] = net_ns
        return found

    def rests(self) -> int:
        """How often the agent has given up its core of its own accord so far, for :meth:`rested`; -1 if that is not known."""
        return -1 if self._has_company() else self._rests()[0]

    def rested(self, rests: int, *, done: bool) -> bool:
        """Whether the agent may have slept since it had rested so often. Who has not was either working or kept from it,
        by whomever. When it is ``done``, a rest that is not over does not count."""
        if rests < 0 or self._has_company():
            return True
        now, resting = self._rests()
        return now < 0 or now - rests > (done and resting)

    def _rests(self) -> tuple[int, bool]:
        """How often, and whether it does at this moment."""
        try:
            if self._status < 0:
                self._status = os.open(f"/proc/{self._pid}/status", os.O_RDONLY | os.O_CLOEXEC)
            words = os.pread(self._status, 4096, 0)
        except OSError:
            return -1, False
        state, count = words.find(_STATE), words.find(_RESTS)
        if state < 0 or count < 0:
            return -1, False
        return int(words[count + len(_RESTS) :].split(None, 1)[0]), words[state + len(_STATE)] != ord("R")

    def _has_company(self) -> bool:
        """Whether there is more than one thread, or was at the last look."""
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
        except OSError:  # it has ended, or this kernel does not list children
            return False

    def _read_single(self) -> bytes:
        try:
            if self._single < 0:
                self._single = os.open(f"/proc/{self._pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            return os.pread(self._single, 64, 0)
        except OSError:
            return b""

    def _all(self) -> dict[int, Figures]:
        found: dict[int, Figures] = {}
        for pid in islice((self._pid, *islice(self._helpers(), _MOST)), _MOST):
            with contextlib.suppress(OSError):
                for thread in islice(os.listdir(f"/proc/{pid}/task"), _MOST - len(found)):  # noqa: PTH208
                    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as file:  # noqa: PTH123
                        found[int(thread)] = _figures(file.read())
        self._several = len(found) > 1
        return found

    def close(self) -> None:
        """No more readings."""
        for fd in (self._single, self._task, self._children, self._status):
            if fd >= 0:
                os.close(fd)
        self._single = self._task = self._children = self._status = -1


def in_turn(waited: Mapping[int, int]) -> int:
    """How long the agent was delayed by what its threads have waited."""
    return sum(sorted(waited.values())[-_IN_TURN:])


def _figures(words: bytes) -> Figures:
    figures = words.split()
    return (int(figures[0]), int(figures[1])) if len(figures) > 1 else (0, 0)
