"""What an answer is charged: pure arithmetic over kernel readings.

On a busy machine a process is often ready to run but has to wait for a core. Linux reports this run-queue wait (see
:mod:`arbiter.agents.clock.schedstat`), so the fair charge leaves it out::

    charged = min(wall, max(cpu, wall - waited))

The arbiter waits for cores as well before it can read an answer; that time counts as waited, too. A sleeping agent pays
for its sleep, since a sleeper is not in the run queue. An agent that crowds its core with threads makes itself wait, but
the CPU time of all its threads counts, so it gains nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Clock = Literal["fair", "wall", "cpu"]
CLOCKS: tuple[Clock, ...] = ("fair", "wall", "cpu")

NEGLIGIBLE_NS = 1_000_000
"""A wait shorter than this is charged: it is not worth a kernel reading."""
STALL_NOTICED_NS = 20_000_000
"""Linux accounts for stalls of a virtual machine shorter than this as steal time."""
_SECOND_NS = 1_000_000_000


def charge(clock: Clock, wall_ns: int, cpu_ns: int, waited_ns: int) -> int:
    """Return what an answer costs its agent."""
    if clock == "wall":
        return wall_ns
    if clock == "cpu":
        return min(wall_ns, cpu_ns)
    return min(wall_ns, max(cpu_ns, wall_ns - waited_ns))


def hard_limit_ns(limit_ns: int) -> int:
    """Return the wall time after which an agent is late however little it was charged."""
    return 10 * limit_ns + _SECOND_NS


@dataclass(slots=True)
class Usage:
    """Kernel readings for one exchange, each counted from its start."""

    cpu_ns: int = 0
    """CPU time of the agent's process and its helpers."""
    agent_wait_ns: int = 0
    """Run-queue wait of the agent's threads, less the waiting they caused one another."""
    arbiter_wait_ns: int = 0
    """Run-queue wait of the arbiter and its spawner, as far as it delayed the answer."""
    slept: bool = True
    """False if the agent has certainly not slept: it made no voluntary context switch."""
    stall_ns: int = 0
    """How long the whole machine seemed to stand still: the arbiter was woken late without waiting for a core."""
    steal_ns: int = 0
    """CPU steal time of the agent's cores; read only when some time is unexplained."""

    @property
    def worked_ns(self) -> int:
        """CPU time without stalls that the kernel mistook for it."""
        unnoticed_ns = self.stall_ns - self.steal_ns
        return max(0, self.cpu_ns - unnoticed_ns) if unnoticed_ns >= STALL_NOTICED_NS else self.cpu_ns

    def unexplained_ns(self, wall_ns: int) -> int:
        """Return the wall time in which the agent neither worked nor waited for a core: sleep, or CPU steal time."""
        return wall_ns - self.worked_ns - self.agent_wait_ns - self.arbiter_wait_ns

    def waited_ns(self, wall_ns: int) -> int:
        """Return how much of ``wall_ns`` the agent lost through no fault of its own."""
        if not self.slept:
            return wall_ns - self.worked_ns
        waited_ns = self.agent_wait_ns + self.arbiter_wait_ns
        unexplained_ns = self.unexplained_ns(wall_ns)
        if unexplained_ns >= NEGLIGIBLE_NS:
            waited_ns += min(unexplained_ns, max(self.steal_ns, self.stall_ns))
        return waited_ns

    def charged_ns(self, clock: Clock, wall_ns: int) -> int:
        """Return the charge for an answer that took ``wall_ns``."""
        return charge(clock, wall_ns, self.worked_ns, self.waited_ns(wall_ns))
