"""The sentinel process. It is given a page of shared memory, the pipe that wakes it, and the core to watch.

One is started in most games, so it imports nothing from the arbiter and almost nothing from the standard library: importing
``contextlib`` alone would take half as long as starting the interpreter.
"""

from __future__ import annotations

import os
from time import clock_gettime_ns, monotonic_ns, sleep

UNTIL, AWAKE, BEAT = range(3)
"""Numbers in the shared page: the time until which to beat; whether the sentinel beats; the time of its last beat."""
FIRST_SLOT, SLOT_SIZE, SLOTS = 3, 10, 16
ORDER, CLOCK, FILE, INODE, BASE, START, SEEN, STALLED, MISTAKEN, BLOCKED = range(SLOT_SIZE)
"""Numbers in the slot of an agent. Written by the arbiter: the number of the question; the CPU clock of the
agent's process; the arbiter's open file with the CPU time of the agent's cgroup, and its inode, 0 for none; that CPU time when
the question began; when it began, 0 once it is over. Written by the sentinel: the number of the last question that it has
looked at, and for that question, how long the core was stalled, how much of that was taken for CPU time of the agent, and how
long the agent was blocked by a lock in the kernel."""
BEAT_NS = 2_000_000
"""Interval between beats: shorter stalls make no agent late, and every beat takes some ten microseconds of the core."""
LATE_NS = 1_000_000
"""A beat that is late by less than this is not a stall: timers are inexact, and kernels disable interrupts briefly."""
REAL_TIME_STALL_NS = 3_000_000
"""At real-time priority, a longer wait in the run queue is also a stall, which began when the timer fired: nothing that an
agent does in the kernel holds a core for that long, and it would gain nothing by it."""
BUSY_NS = BEAT_NS // 2
"""An agent that worked for longer than this since the last beat need not be looked at."""
BLOCKING_CALLS = {
    "x86_64": (b"-1 ", b"9 ", b"10 ", b"11 ", b"12 ", b"25 ", b"59 ", b"60 ", b"231 ", b"322 "),
    "aarch64": (b"-1 ", b"222 ", b"226 ", b"215 ", b"214 ", b"216 ", b"221 ", b"93 ", b"94 ", b"281 "),
}
"""How ``/proc/PID/syscall`` begins when a process is blocked where no program can choose to sleep: in a page fault (-1), mmap,
mprotect, munmap, brk, mremap, execve, exit, exit_group or execveat."""
REMEMBERED = 64
"""How many stalls to remember, for questions that the arbiter names late: it may be stopped itself, or wait for a core."""
PROC = "/proc"
_CALLS = BLOCKING_CALLS.get(os.uname().machine, ())


class Beat:
    """What one beat shows about the time since the last one."""

    __slots__ = ("interval_ns", "stalled_ns", "woken_ns")

    def __init__(self, woken_ns: int, interval_ns: int, stalled_ns: int) -> None:
        self.woken_ns, self.interval_ns, self.stalled_ns = woken_ns, interval_ns, stalled_ns


def stall_ns(late_ns: int, queued_ns: int, *, real_time: bool) -> int:
    """Return for how long the core was stalled, given how late a beat was and how long the sentinel was in the run queue."""
    if real_time and queued_ns >= REAL_TIME_STALL_NS:
        queued_ns = 0
    return late_ns - queued_ns if late_ns - queued_ns >= LATE_NS else 0


def booked_ns(used_ns: int, interval_ns: int, stalled_ns: int, *, single: bool) -> int:
    """Return how much of a stall the kernel has booked as CPU time of an agent, which used ``used_ns`` in the interval.

    The agent may have worked for all the rest of the interval; only CPU time beyond that must be the stall. But if most of its
    CPU time was a ``single`` stall, that rest was too short to matter, and is left to the agent.
    """
    most_ns = min(stalled_ns, used_ns)
    least_ns = max(0, used_ns - (interval_ns - stalled_ns))
    return most_ns if single and 2 * least_ns > most_ns else min(least_ns, most_ns)


Stall = tuple[int, int]
"""When a stall was noticed, and how long it was."""


def stalled_since(stalls: list[Stall], start_ns: int) -> int:
    """Return how much of these stalls came after ``start_ns``."""
    return sum(min(length_ns, noticed_ns - start_ns) for noticed_ns, length_ns in stalls if noticed_ns > start_ns)


def remember(stalls: list[Stall], noticed_ns: int, length_ns: int) -> None:
    """Add a stall, and forget the oldest ones."""
    stalls.append((noticed_ns, length_ns))
    del stalls[:-REMEMBERED]


def watch(page: memoryview, wake: int, waits: int, arbiter: int, *, real_time: bool) -> None:
    """Beat whenever it is requested, until the pipe is closed. ``waits`` is our open schedstat."""
    stalls: list[Stall] = []
    agents = [Followed(page, FIRST_SLOT + SLOT_SIZE * slot, stalls, arbiter) for slot in range(SLOTS)]
    queued_ns, last_ns = queued(waits), monotonic_ns()
    while True:
        if last_ns >= page[UNTIL]:
            page[AWAKE] = 0
            if monotonic_ns() >= page[UNTIL] and not os.read(wake, 64):
                return
            queued_ns, last_ns = queued(waits), monotonic_ns()
            page[AWAKE] = 1
            for agent in agents:
                agent.used_ns()
        sleep(BEAT_NS / 1e9)
        woken_ns = monotonic_ns()
        before_ns, queued_ns = queued_ns, queued(waits)
        stalled_ns = stall_ns(woken_ns - last_ns - BEAT_NS, queued_ns - before_ns, real_time=real_time)
        beat = Beat(woken_ns, woken_ns - last_ns, stalled_ns)
        asked = False
        for agent in agents:
            if page[agent.slot + ORDER]:
                asked = agent.observe(beat) or asked
        if stalled_ns:
            remember(stalls, woken_ns, stalled_ns)
        page[BEAT] = woken_ns  # last: a reader that sees this beat must see its results
        last_ns = monotonic_ns() if asked else woken_ns


class Followed:
    """An agent that is looked at with every beat, whether it is being asked or not."""

    def __init__(self, page: memoryview, slot: int, stalls: list[Stall], arbiter: int) -> None:
        """``stalls`` are those of the core before this beat; ``arbiter`` is the pid of the arbiter."""
        self.page, self.slot, self.stalls, self.arbiter = page, slot, stalls, arbiter
        self.order = self.clock = self.inode = self.read_ns = 0
        self.usage = -1
        """Its open file with the CPU time of its cgroup, which exists before any of its processes; otherwise the CPU clock of its
        process is read."""
        self.mistaken: list[Stall] = []
        """Stalls that were taken for its CPU time."""
        self.call = -1
        """Its open ``/proc/PID/syscall``."""

    def observe(self, beat: Beat) -> bool:
        """Update its figures since the last beat, during part of which the core was stalled. Returns whether the kernel
        was asked where it is blocked, which can take long while it executes another program."""
        page, slot = self.page, self.slot
        new, since_last = page[slot + ORDER] != self.order, beat
        if new:
            beat = self.begin(beat)
        used_ns, stalled_ns = self.used_ns(), beat.stalled_ns
        page[slot + STALLED] += stalled_ns
        mistaken_ns = booked_ns(used_ns, beat.interval_ns, stalled_ns, single=beat is since_last)
        if mistaken_ns:
            page[slot + MISTAKEN] += mistaken_ns
            remember(self.mistaken, beat.woken_ns, mistaken_ns)
        ask = not new and used_ns < BUSY_NS and page[slot + START] != 0
        if ask and self.is_blocked():
            page[slot + BLOCKED] += max(0, beat.interval_ns - stalled_ns - used_ns)
        page[slot + SEEN] = self.order
        return ask

    def begin(self, beat: Beat) -> Beat:
        """Begin another question, which may have been going on for some time. Returns the beat, or all of that time if the
        process was not followed until now."""
        page, slot = self.page, self.slot
        self.order, start_ns = page[slot + ORDER], page[slot + START] or beat.woken_ns
        clock, inode = page[slot + CLOCK], page[slot + INODE]
        page[slot + MISTAKEN] = page[slot + STALLED] = page[slot + BLOCKED] = 0
        before_ns = stalled_since(self.stalls, start_ns)
        known = inode == self.inode if inode else clock == self.clock
        if clock != self.clock:
            self.clock = clock
            self.close_call()
        if known:
            page[slot + STALLED], page[slot + MISTAKEN] = before_ns, stalled_since(self.mistaken, start_ns)
            return beat
        self.open_usage(inode, page[slot + FILE])
        self.read_ns = page[slot + BASE]
        self.mistaken.clear()
        asked_ns = max(0, beat.woken_ns - start_ns)
        return Beat(beat.woken_ns, asked_ns, min(asked_ns, before_ns + beat.stalled_ns))

    def used_ns(self) -> int:
        """Return the CPU time it used since the last call."""
        if not self.clock:
            return 0
        try:
            now_ns = self.read_usage() if self.usage >= 0 else clock_gettime_ns(self.clock)
        except OSError:  # it has ended, or its sandbox
            return 0
        before_ns, self.read_ns = self.read_ns, now_ns
        return max(0, now_ns - before_ns)

    def open_usage(self, inode: int, file: int) -> None:
        """Open a file that the arbiter has open."""
        if self.usage >= 0:
            os.close(self.usage)
        self.inode, self.usage = inode, -1
        if inode:
            try:
                self.usage = os.open(f"{PROC}/{self.arbiter}/fd/{file}", os.O_RDONLY | os.O_CLOEXEC)
            except OSError:  # the sandbox has been ended meanwhile: there is nothing to follow
                self.inode = self.clock = 0

    def read_usage(self) -> int:
        """Return the CPU time of its cgroup: in nanoseconds with version 1, ``usage_usec`` among others with version 2."""
        words = os.pread(self.usage, 64, 0).split()
        return int(words[0]) if len(words) == 1 else int(words[1]) * 1000

    def place(self) -> str:
        """Return its folder in /proc."""
        return f"{PROC}/{~(self.clock >> 3)}"

    def is_blocked(self) -> bool:
        """Whether it is blocked in the kernel at this moment, at a place where it cannot have chosen to sleep."""
        place = self.place()
        try:
            if self.call < 0:
                self.call = os.open(f"{place}/syscall", os.O_RDONLY | os.O_CLOEXEC)
            if not os.pread(self.call, 128, 0).startswith(_CALLS):
                return False
            # A process that was stopped by a signal looks the same.
            with open(f"{place}/stat", "rb") as stat:  # noqa: PTH123
                return stat.read().rpartition(b")")[2].startswith(b" D ")
        except OSError:  # it has exited, or this is not permitted
            return False

    def close_call(self) -> None:
        """Stop looking where a process is blocked."""
        if self.call >= 0:
            os.close(self.call)
            self.call = -1


def queued(waits: int) -> int:
    """Return our own run-queue wait."""
    return int(os.pread(waits, 64, 0).split()[1]) if waits >= 0 else 0


def main(shared: int, wake: int, core: int, arbiter: int) -> None:
    """Watch a core until the arbiter, the process with that pid, closes the pipe or dies."""
    import mmap

    os.sched_setaffinity(0, {core})
    try:
        waits = os.open("/proc/self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        waits = -1
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        real_time = True
    except OSError:  # it is not permitted
        real_time = False
    page = memoryview(mmap.mmap(shared, mmap.PAGESIZE)).cast("q")
    page[AWAKE] = 1
    watch(page, wake, waits, arbiter, real_time=real_time)
