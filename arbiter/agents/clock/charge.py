"""What an answer is charged: pure arithmetic over kernel readings.

    charged = min(wall, max(worked, wall - waited))

*Worked* is CPU time. *Waited* is time during which the agent could not run through no fault of its own; :class:`Readings`
lists where every part of it comes from. A sleeping agent pays for its sleep, since no reading counts sleep. An agent that
crowds its core with threads makes itself wait, but the CPU time of all its threads counts, so it gains nothing.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

Clock = Literal["fair", "wall", "cpu"]
CLOCKS: tuple[Clock, ...] = ("fair", "wall", "cpu")

NEGLIGIBLE_NS = 1_000_000
"""A wait shorter than this is charged: it is not worth a kernel reading."""
_EXCESS_NS = 1_000_000_000
_EXCESS_OF_WAITS_NS = 10_000_000_000
"""How much the hard limit exceeds ten times the limit; the second value applies if only an overloaded machine can delay
an agent that long."""


class Readings(msgspec.Struct):
    """All readings for one question, counted from its start, each with its source in the kernel."""

    cpu_ns: int = 0
    """CPU time of the agent's processes. Process CPU clocks (clock_getcpuclockid), cpuacct of its cgroup, or perf events."""
    mistaken_ns: int = 0
    """Stalls of the core that the kernel took for CPU time of the agent. Sentinel of the core and the agent's CPU clock."""
    agent_wait_ns: int = 0
    """Run-queue wait of the agent's threads, less the waiting they caused one another. /proc/PID/task/TID/schedstat"""
    arbiter_wait_ns: int = 0
    """Run-queue wait of the arbiter and of the agent's spawner, as far as it delayed the answer. /proc/thread-self/schedstat"""
    memory_ns: int = 0
    """Memory stalls that the agent did not cause: reclaim, and page-ins of evicted pages. memory.pressure of its
    cgroup; 0 if it reached its own memory limit."""
    blocked_ns: int = 0
    """How long the agent was seen blocked in the kernel while it mapped memory or exited, less all waits for a disk: another
    process held a lock. Sentinel of the core, /proc/PID/syscall and io.pressure of its cgroup."""
    steal_ns: int = 0
    """CPU steal time of the agent's cores. /proc/stat"""
    stall_ns: int = 0
    """How long the agent's core ran nothing at all. Sentinel of the core."""
    late_ns: int = 0
    """How late the arbiter was woken, less its run-queue wait, with the sleep before it. Monotonic clock."""

    @property
    def worked_ns(self) -> int:
        """CPU time without stalls that the kernel mistook for it."""
        return max(0, self.cpu_ns - self.mistaken_ns)

    @property
    def accounted_ns(self) -> int:
        """Time that the kernel accounts for: work, and waits that began and ended at known moments."""
        return self.worked_ns + self.mistaken_ns + self.agent_wait_ns + self.arbiter_wait_ns

    @property
    def machine_stall_ns(self) -> int:
        """Upper bound on stalls of the machine in the unexplained time: the sum of its own readings."""
        return max(self.memory_ns, self.blocked_ns) + max(
            self.steal_ns, self.stall_ns - self.mistaken_ns, self.late_ns, 0
        )


class TimeBreakdown(NamedTuple):
    """An answer's wall time, divided up."""

    worked_ns: int
    waited_ns: int
    charged_ns: int


def settle(clock: Clock, wall_ns: int, readings: Readings) -> TimeBreakdown:
    """Return what an answer that took ``wall_ns`` costs its agent.

    Time that no reading explains is the agent's own, as if it had slept, except for as much as the machine itself shows to
    have stalled.
    """
    worked_ns = min(wall_ns, readings.worked_ns)
    known_ns = readings.accounted_ns - readings.worked_ns
    if (gap_ns := unexplained_ns(wall_ns, readings)) >= NEGLIGIBLE_NS:
        known_ns += min(gap_ns, readings.machine_stall_ns)
    # Agent and arbiter may have waited at the same time, which must not add up to more than there was.
    waited_ns = min(wall_ns - worked_ns, known_ns)
    return TimeBreakdown(worked_ns, waited_ns, charge(clock, wall_ns, worked_ns, waited_ns))


def unexplained_ns(wall_ns: int, readings: Readings) -> int:
    """Return the wall time that no reading accounts for: sleep, or a stall of the machine."""
    return wall_ns - readings.accounted_ns


def charge(clock: Clock, wall_ns: int, worked_ns: int, waited_ns: int) -> int:
    """Return the charge for an answer, given how long the agent worked and waited."""
    if clock == "wall":
        return wall_ns
    if clock == "cpu":
        return min(wall_ns, worked_ns)
    return min(wall_ns, max(worked_ns, wall_ns - waited_ns))


def hard_limit_ns(clock: Clock, limit_ns: int, *, all_counted: bool) -> int:
    """Return the wall time after which an agent is late regardless of its charge.

    ``all_counted``: the CPU time of every process the agent starts is known, so it cannot have waited for its own work.
    """
    excess_ns = _EXCESS_OF_WAITS_NS if clock == "fair" and all_counted else _EXCESS_NS
    return 10 * limit_ns + excess_ns
