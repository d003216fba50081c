"""The sentinel itself: run as a script with a page of shared memory, the pipe that wakes it, and the core to watch.

It imports nothing of the arbiter, so that it starts within milliseconds.
"""

from __future__ import annotations

import contextlib
import os
import sys
from time import clock_gettime_ns, monotonic_ns, sleep

UNTIL, AWAKE, BEAT, STALLED = range(4)
"""What each number in the shared page means: beat until then; whether it beats; when it last did; how long the core was
stalled."""
FIRST_SLOT, SLOT_SIZE, SLOTS = 4, 4, 8
CLOCK, BASE, MISTAKEN, BLOCKED = range(4)
"""What each number in the slot of an agent means: its CPU clock, 0 for none; what that showed when it was first to be
followed; how much of the stalls was taken for its CPU time; how long it was blocked by a lock in the kernel."""
BEAT_NS = 2_000_000
"""Shorter stalls cost nobody a game, and every beat costs the core some ten microseconds."""
LATE_NS = 1_000_000
"""A beat that is late by less is ordinary: timers are not exact, and kernels disable interrupts for a moment."""
BUSY_NS = BEAT_NS // 2
"""An agent that worked for longer than this since the last beat need not be looked at."""
BLOCKING_CALLS = {
    "x86_64": (b"-1 ", b"9 ", b"10 ", b"11 ", b"12 ", b"25 ", b"59 ", b"60 ", b"231 ", b"322 "),
    "aarch64": (b"-1 ", b"222 ", b"226 ", b"215 ", b"214 ", b"216 ", b"221 ", b"93 ", b"94 ", b"281 "),
}
"""How ``/proc/PID/syscall`` begins when a process is blocked where no program can choose to sleep: in a page fault (-1), mmap,
mprotect, munmap, brk, mremap, execve, exit, exit_group or execveat."""
INTERRUPTED = (b"asm_sysvec_", b"asm_common_interrupt", b"el0t_64_irq")
"""How the outermost function on a kernel stack begins when an interrupt came while the process executed its own code."""
PROC = "/proc"
_CALLS = BLOCKING_CALLS.get(os.uname().machine, ())


def watch(page: memoryview, wake: int, waits: int, *, real_time: bool) -> None:
    """Beat whenever it is requested, until the pipe is closed. ``waits`` is our open schedstat."""
    agents = [Followed(page, FIRST_SLOT + SLOT_SIZE * slot) for slot in range(SLOTS)]
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
        late_ns, waited_ns = woken_ns - last_ns - BEAT_NS, queued_ns - before_ns
        stalled_ns = late_ns - waited_ns if late_ns - waited_ns >= LATE_NS else 0
        doubtful_ns = min(waited_ns, late_ns) if real_time and waited_ns >= LATE_NS else 0
        asked = False
        for agent in agents:
            if page[agent.slot + CLOCK] or agent.clock:
                asked = agent.look(woken_ns - last_ns, stalled_ns, doubtful_ns) or asked
        page[STALLED] += stalled_ns
        page[BEAT] = woken_ns  # last: a reader that sees this beat must see its results
        last_ns = monotonic_ns() if asked else woken_ns


class Followed:
    """An agent that is looked at with every beat."""

    def __init__(self, page: memoryview, slot: int) -> None:
        self.page, self.slot = page, slot
        self.clock = self.read_ns = 0
        self.call = -1
        """Its open ``/proc/PID/syscall``."""

    def look(self, interval_ns: int, stalled_ns: int, doubtful_ns: int = 0) -> bool:
        """Update its figures since the last beat, during part of which the core was stalled. Returns whether the kernel
        was asked where it is blocked, which can take long while it executes another program.

        ``doubtful_ns``: time that the sentinel spent in the run queue at real-time priority. Either the agent was in a
        system call, which the kernel does not interrupt, or the core was stalled.
        """
        new = self.page[self.slot + CLOCK] != self.clock
        used_ns = self.used_ns()
        if doubtful_ns and used_ns > interval_ns - stalled_ns - doubtful_ns and self.was_interrupted():
            stalled_ns += doubtful_ns
        if stalled_ns:
            # It may really have worked for the rest of the time; only CPU time beyond that must be the stall.
            self.page[self.slot + MISTAKEN] += min(stalled_ns, max(0, used_ns - (interval_ns - stalled_ns)))
        if new or used_ns >= BUSY_NS or not self.clock:
            return False
        if self.is_blocked():
            self.page[self.slot + BLOCKED] += max(0, interval_ns - stalled_ns - used_ns)
        return True

    def used_ns(self) -> int:
        """Return the CPU time it used since the last call."""
        if self.page[self.slot + CLOCK] != self.clock:
            self.clock, self.read_ns = self.page[self.slot + CLOCK], self.page[self.slot + BASE]
            self.close()
        if not self.clock:
            return 0
        try:
            before_ns, self.read_ns = self.read_ns, clock_gettime_ns(self.clock)
        except OSError:  # it has ended
            return 0
        return max(0, self.read_ns - before_ns)

    def was_interrupted(self) -> bool:
        """Whether it is off its core because of an interrupt that came while it executed its own code.

        The outermost function on its kernel stack tells: it would be another one after a system call or a page fault.
        """
        place = self.place()
        try:
            if len(os.listdir(f"{place}/task")) > 1:  # noqa: PTH208 (another thread may have been in a system call)
                return False
            with open(f"{place}/stack", "rb") as stack:  # noqa: PTH123
                return stack.read(8192).rstrip().rpartition(b"] ")[2].startswith(INTERRUPTED)
        except OSError:  # it has exited, or this is not permitted
            return False

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

    def close(self) -> None:
        """Stop following this process."""
        if self.call >= 0:
            os.close(self.call)
            self.call = -1


def queued(waits: int) -> int:
    """Return our own run-queue wait."""
    return int(os.pread(waits, 64, 0).split()[1]) if waits >= 0 else 0


def main(shared: int, wake: int, core: int) -> None:
    """Watch a core until the arbiter closes the pipe or dies."""
    import mmap

    os.sched_setaffinity(0, {core})
    waits, real_time = -1, False
    with contextlib.suppress(OSError):
        waits = os.open("/proc/self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    with contextlib.suppress(OSError):  # it may not be permitted
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        real_time = True
    page = memoryview(mmap.mmap(shared, mmap.PAGESIZE)).cast("q")
    page[AWAKE] = 1
    watch(page, wake, waits, real_time=real_time)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
