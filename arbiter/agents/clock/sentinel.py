"""Sentinels: one process per core that wakes every two milliseconds, to notice when the core runs nothing at all.

The host of a virtual machine may take a core away without reporting it as steal time. The kernel then counts the gap as
CPU time of the process that was running. A sentinel runs at real-time priority where that is permitted, so nothing the
machine itself runs can delay it for long; otherwise its own run-queue wait is subtracted. A beat that comes late is
therefore a stall of the core. The sentinel also reads the agents' CPU time at every beat, so it knows how much of the gap the
kernel counted as CPU time of an agent: that of the agent's cgroup, which exists before its process and after it, or else that
of its process. It remembers the last stalls, since the arbiter may announce a question only some time after it began.

A process that maps memory or exits may have to wait for a lock in the kernel, whose holder waits for a core. To the scheduler
such a wait looks like sleep. So if the agent did not work since the last beat, the sentinel looks where it is blocked.

A sentinel is a process and not a thread, since the arbiter may be stopped or busy. It beats only while a question takes a while,
or is expected to: with cold caches, as between moves of a few milliseconds, a beat takes up to a hundred microseconds.
Both sides share a page of memory; :mod:`arbiter.agents.clock.sentinel_process` is the other side.
"""

from __future__ import annotations

import contextlib
import mmap
import os
from collections.abc import Collection, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from arbiter.agents.clock.metered import UsageFile
from arbiter.agents.clock.sentinel_process import (
    AWAKE,
    BASE,
    BEAT,
    BLOCKED,
    CLOCK,
    FILE,
    FIRST_SLOT,
    INODE,
    MISTAKEN,
    ORDER,
    SEEN,
    SLOT_SIZE,
    SLOTS,
    STALLED,
    START,
    UNTIL,
)
from arbiter.agents.zygote.zygote import ForkedProgram, start_program

NEEDED_NS = 2_000_000
"""A question that takes longer than this is worth a sentinel."""
LINGER_NS = 1_000_000_000
"""How long a sentinel beats without being asked again: the arbiter may be stopped, too."""
_BEHIND_NS = 5_000_000
"""A sentinel whose last beat is older than this may be about to report a stall."""
_FOLDER = str(Path(__file__).parent)


class Noticed(NamedTuple):
    """What a sentinel has noticed since a question began, in nanoseconds."""

    stalled_ns: int = 0
    """How long its core was stalled."""
    mistaken_ns: int = 0
    """How much of that was taken for CPU time of the agent."""
    blocked_ns: int = 0
    """How long the agent was blocked by a lock in the kernel."""


class Sentinel:
    """The sentinel of one core. Nothing is started before it is first needed."""

    __slots__ = ("_asked", "_core", "_page", "_process", "_wake")

    def __init__(self, core: int) -> None:
        self._core = core
        self._asked: set[int] = set()
        """Seats with an open question."""
        self._page: memoryview | None = None
        self._wake = -1
        self._process: ForkedProgram | None = None

    def follow(self, seat: int, cpu_clock: int, usage: UsageFile | None, cpu_ns: int, start_ns: int) -> None:
        """Follow the agent at this seat from ``start_ns`` on, when a question began and the CPU time of its cgroup, or else of
        its process, was ``cpu_ns``."""
        self._asked.add(seat)
        if self._page is not None and seat < SLOTS:
            slot = FIRST_SLOT + SLOT_SIZE * seat
            self._page[slot + CLOCK], self._page[slot + BASE], self._page[slot + START] = cpu_clock, cpu_ns, start_ns
            self._page[slot + FILE], self._page[slot + INODE] = usage or (0, 0)
            self._page[slot + ORDER] += 1  # last: the sentinel looks at the others when this one changes

    def rest(self, seat: int) -> None:
        """Note that the question at this seat is over. Without an open question there is nothing to watch."""
        self._asked.discard(seat)
        if self._page is not None:
            if seat < SLOTS:
                self._page[FIRST_SLOT + SLOT_SIZE * seat + START] = 0
            if not self._asked:
                self._page[UNTIL] = 0

    def beat(self, now_ns: int) -> bool:
        """Have it beat for some time from now. Returns whether it was started just now, and so follows no agent yet."""
        started = self._page is None
        if started:
            self._start()
        page = self._page
        if page is not None:
            page[UNTIL] = now_ns + LINGER_NS
            if not page[AWAKE] and self._wake >= 0:
                with contextlib.suppress(OSError):
                    os.write(self._wake, b"!")
        return started

    def read(self, seat: int) -> Noticed:
        """Return what it has noticed since the agent at this seat was last followed."""
        page, slot = self._page, FIRST_SLOT + SLOT_SIZE * seat
        if page is None or seat >= SLOTS or page[slot + SEEN] != page[slot + ORDER]:
            return Noticed()
        return Noticed(page[slot + STALLED], page[slot + MISTAKEN], page[slot + BLOCKED])

    def is_behind(self, seat: int, now_ns: int) -> bool:
        """Whether it beats, but has not yet looked at this question, or is overdue: a stall may not have been counted yet."""
        page, slot = self._page, FIRST_SLOT + SLOT_SIZE * seat
        if page is None or seat >= SLOTS or not page[AWAKE] or not page[BEAT]:
            return False
        return page[slot + SEEN] != page[slot + ORDER] or now_ns - page[BEAT] > _BEHIND_NS

    def _start(self) -> None:
        shared, (theirs, wake) = os.memfd_create("arbiter-sentinel"), os.pipe2(os.O_CLOEXEC)
        try:
            os.ftruncate(shared, mmap.PAGESIZE)
            self._page = memoryview(mmap.mmap(shared, mmap.PAGESIZE)).cast("q")
            self._process = start_program(_FOLDER, "sentinel_process", (shared, theirs), self._core, os.getpid())
            self._wake = wake
            os.set_blocking(wake, False)
        except OSError:
            os.close(wake)
        finally:
            os.close(shared)
            os.close(theirs)

    def close(self) -> None:
        """End it."""
        if self._wake >= 0:
            os.close(self._wake)
            self._wake = -1
        if self._process is not None:
            self._process.close()
            self._process = None
        self._page = None


class Sentinels:
    """The sentinels of the cores that agents run on."""

    __slots__ = ("_by_core", "_kept")

    def __init__(self) -> None:
        self._by_core: dict[int, Sentinel] = {}
        self._kept = False

    @classmethod
    def for_table(cls) -> Sentinels:
        """Return the sentinels that are kept for several tables (see :func:`keep_sentinels`), or new ones."""
        return _kept.get() or cls()

    def of(self, cores: Collection[int]) -> Sentinel | None:
        """Return the sentinel for an agent on these cores; None for several cores, which do not stall all at once."""
        if len(cores) != 1:
            return None
        (core,) = cores
        return self._by_core.setdefault(core, Sentinel(core))

    def close(self) -> None:
        """End all of them, unless they are kept for the next table."""
        if not self._kept:
            for sentinel in self._by_core.values():
                sentinel.close()
            self._by_core.clear()

    def keep(self) -> None:
        """Have :meth:`close` do nothing from now on."""
        self._kept = True

    def end(self) -> None:
        """End all of them, even if they are kept."""
        self._kept = False
        self.close()


_kept: ContextVar[Sentinels | None] = ContextVar("kept sentinels", default=None)


@contextlib.contextmanager
def keep_sentinels() -> Iterator[None]:
    """Keep sentinels for all tables inside this context: starting one takes as long as some games."""
    sentinels = Sentinels()
    sentinels.keep()
    token = _kept.set(sentinels)
    try:
        yield
    finally:
        _kept.reset(token)
        sentinels.end()
