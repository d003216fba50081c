"""Stalls of the machine: time taken from some process, without the kernel saying which.

CPU steal time, memory stalls, locks in the kernel, stalls of a core. They count only against time that no other reading
explains (:func:`arbiter.agents.clock.charge.settle`), so they are read only if there is any.
"""

from __future__ import annotations

import os

import msgspec

from arbiter.agents.clock.charge import NEGLIGIBLE_NS, Readings, unexplained_ns
from arbiter.agents.clock.metered import MeteredProcess
from arbiter.agents.clock.pressure import DiskPressure
from arbiter.agents.clock.schedstat import RunQueueWait
from arbiter.agents.clock.sentinel import NEEDED_NS, Sentinels
from arbiter.agents.clock.steal import StealTime

_SAFE_FRACTION = 32
"""An agent that takes less than its limit divided by this is far from being late."""
WATCHED_AFTER_SLOW = 16
"""How many questions after a slow one are watched from their start."""


class MachineReadings(msgspec.Struct, frozen=True):
    """Readings that all seats of a table share."""

    arbiter: RunQueueWait
    steal: StealTime
    sentinels: Sentinels
    disk: DiskPressure

    @classmethod
    def open(cls) -> MachineReadings:
        """Open the files behind the readings of this machine."""
        return cls(RunQueueWait(), StealTime(), Sentinels.for_table(), DiskPressure())

    def close(self) -> None:
        """Close them."""
        self.arbiter.close()
        self.steal.close()
        self.sentinels.close()
        self.disk.close()


class Stalls:
    """The stalls that may have held up the agent of one seat, question by question."""

    __slots__ = (
        "_cores",
        "_disk_ns",
        "_limit_ns",
        "_machine",
        "_pressure",
        "_seat",
        "_sentinel",
        "_steal",
        "_to_watch",
    )

    def __init__(self, machine: MachineReadings, cores: frozenset[int] | None, seat: int, *, watched: bool) -> None:
        """``watched``: have a sentinel watch the core, if there is a single one."""
        self._machine, self._cores, self._seat = machine, cores, seat
        home = cores or frozenset(os.sched_getaffinity(0))
        self._sentinel = machine.sentinels.of(home) if watched else None
        # Snapshots before the question.
        self._steal = b""
        self._pressure = 0, 0
        self._disk_ns = 0
        self._to_watch = 0
        """How many more questions to watch from their start."""
        self._limit_ns = 0
        """The time limit of the open question."""

    def expect(self, now_ns: int) -> None:
        """Note that a question is about to be asked. If a recent one was slow, this one may be, too: the sentinel watches it
        from its start, even if the arbiter itself is stopped meanwhile."""
        if self._to_watch and self._sentinel:
            self._to_watch -= 1
            self._sentinel.beat(now_ns)

    def snapshot(self, process: MeteredProcess, now_ns: int) -> None:
        """Take the snapshots before a question."""
        self._steal = self._machine.steal.snapshot(now_ns)
        if (pressure := process.memory_pressure) is not None:
            self._pressure = pressure.snapshot(now_ns)
        if self._sentinel:
            self._disk_ns = (process.disk_pressure or self._machine.disk).snapshot(now_ns)

    def begin(self, process: MeteredProcess, own_ns: int, all_ns: int, start_ns: int, limit_ns: int) -> None:
        """Begin a question with this time limit. When it began, the CPU time of the agent's process was ``own_ns``, that of all
        its processes ``all_ns``."""
        self._limit_ns = limit_ns
        self._follow(process, own_ns, all_ns, start_ns)

    def _follow(self, process: MeteredProcess, own_ns: int, all_ns: int, start_ns: int) -> None:
        if self._sentinel:
            # Only root may open files of the arbiter, which is not dumpable, by its pid.
            usage = process.usage_file if os.geteuid() == 0 else None
            self._sentinel.follow(self._seat, process.cpu_clock, usage, all_ns if usage else own_ns, start_ns)

    def watch(self, process: MeteredProcess, start_ns: int, now_ns: int) -> None:
        """Start the sentinel once the question has taken long enough."""
        if self._sentinel and now_ns - start_ns >= NEEDED_NS and self._sentinel.beat(now_ns):
            self._follow(process, process.own_cpu_ns(), process.cpu_ns(), now_ns)

    def read_core(self, found: Readings) -> None:
        """Read what the sentinel has noticed about the core."""
        if self._sentinel:
            noticed = self._sentinel.read(self._seat)
            found.stall_ns, found.mistaken_ns = noticed.stalled_ns, min(found.cpu_ns, noticed.mistaken_ns)

    def read_rest(self, found: Readings, process: MeteredProcess, wall_ns: int) -> None:
        """Read all other stalls, if there is any time that they could explain."""
        if unexplained_ns(wall_ns, found) < NEGLIGIBLE_NS:
            return
        found.steal_ns = self._machine.steal.since(self._steal, self._cores or os.sched_getaffinity(0))
        if (pressure := process.memory_pressure) is not None:
            found.memory_ns = pressure.since(self._pressure)
        if self._sentinel and (blocked_ns := self._sentinel.read(self._seat).blocked_ns):
            disk_ns = (process.disk_pressure or self._machine.disk).since(self._disk_ns)
            found.blocked_ns = max(0, blocked_ns - disk_ns)

    def may_miss_stall(self, now_ns: int) -> bool:
        """Whether the core may have stalled for longer than is known now."""
        return self._sentinel is not None and self._sentinel.is_behind(self._seat, now_ns)

    def may_miss_steal(self) -> bool:
        """Whether there may be CPU steal time that the kernel has not counted yet."""
        return self._machine.steal.ever()

    def rest(self, wall_ns: int) -> None:
        """End the question, which took ``wall_ns``."""
        if self._sentinel:
            if wall_ns >= max(NEEDED_NS, self._limit_ns // _SAFE_FRACTION):  # a stall might have made the agent late
                self._to_watch = WATCHED_AFTER_SLOW
            self._sentinel.rest(self._seat)
