"""The meter of one seat: reads what an agent uses while it is asked, one exchange after the other.

All kernel readings are taken here; what they add up to is computed in :mod:`arbiter.agents.clock.charge`. Quick answers of
a long-lived agent skip everything between :meth:`Meter.begin` and :meth:`Meter.finish_quick`: snapshots are shared by
several questions, and a wait too short to matter is not read.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import monotonic_ns
from typing import NamedTuple, Protocol

from arbiter.agents.clock.charge import NEGLIGIBLE_NS, Clock, Usage, charge
from arbiter.agents.clock.schedstat import RunQueueWait, Snapshot, ThreadStats, total_wait
from arbiter.agents.clock.steal import StealTime

OVERSLEPT_NS = 3_000_000
"""Waking up later than this is noteworthy; timers are never quite exact."""
SNAPSHOT_EVERY = 32
"""Quick answers in a row that share one snapshot."""
PONDERED_NS = 100_000
"""An agent may have been pondering if its last answer is older than this: take a new snapshot."""


COUNTED_NS = 5_000_000
"""An agent that has waited for this long is counted with all it starts: it may be waiting for children that end unseen."""


CALM = 256
"""After so many snapshots without a slow answer, an agent is counted no longer: it costs a tenth of a quick turn."""


class MeteredProcess(Protocol):
    """What a meter reads of an agent's process."""

    exit_code: int | None
    threads: ThreadStats
    preloaded: bool
    started_ns: int
    cpu_at_start_ns: int
    has_helped: bool

    def own_cpu_ns(self) -> int:
        """CPU time of the process alone."""

    def cpu_ns(self) -> int:
        """CPU time of the process and its helpers."""

    def count_everything(self) -> None:
        """Have :meth:`cpu_ns` include children that end unseen, if possible."""

    def count_no_more(self) -> bool:
        """End that; whether it had begun."""

    def is_ready(self) -> bool:
        """Whether it is running or in the run queue."""


@dataclass(frozen=True, slots=True)
class MachineReadings:
    """Readings that all seats of a table share."""

    arbiter: RunQueueWait
    steal: StealTime

    def close(self) -> None:
        """Close the files behind the readings."""
        self.arbiter.close()
        self.steal.close()


class Times(NamedTuple):
    """The times of one answer, in nanoseconds."""

    wall_ns: int
    cpu_ns: int
    waited_ns: int
    charged_ns: int


class Meter:
    """What the agent of one seat uses, question by question."""

    __slots__ = (
        "_answered_ns", "_arbiter", "_banked_ns", "_calm", "_clock", "_cores", "_cpu_after_ns", "_cpu_base_ns", "_cpu_before_ns", "_helped_ns", "_machine",
        "_process", "_questions", "_slow", "_spawner", "_spawner_snapshot", "_start_ns", "_steal", "_switches", "_threads", "_waits", "looked_ns", "usage",
    )  # fmt: skip

    def __init__(self, clock: Clock, machine: MachineReadings, cores: frozenset[int] | None) -> None:
        self._clock, self._machine, self._cores = clock, machine, cores
        self._process: MeteredProcess | None = None
        self._start_ns = 0
        # Snapshots before the question: threads, arbiter, steal time, voluntary context switches, CPU time of helpers.
        self._threads: Snapshot = b""
        self._arbiter = self._steal = b""
        self._switches = -1
        self._helped_ns = 0
        self._spawner: RunQueueWait | None = None
        self._spawner_snapshot = b""
        self._questions = 0
        """Questions since these were taken."""
        self._slow = False
        """Whether the last answer took long enough to be looked at."""
        self._calm = 0
        """Snapshots in a row without such an answer before them."""
        # CPU time of the process before and after the question, and when it was answered.
        self._cpu_before_ns = self._cpu_after_ns = self._answered_ns = 0
        self._cpu_base_ns = 0
        """CPU time before the question, helpers included."""
        self._waits: dict[int, int] = {}
        """The longest net wait seen of each thread; some of them have ended since."""
        self._banked_ns = 0
        """Run-queue wait of the arbiter that counts, from earlier wake-ups of the same question."""
        self.usage = Usage()
        """Readings for the open question, as of the last look."""
        self.looked_ns = 0
        """When that was."""

    # -- before the question

    def expect(self, spawner: RunQueueWait | None) -> None:
        """Prepare for a process that is about to be spawned with its prompt preloaded."""
        self._snapshot_machine(monotonic_ns())
        self._threads, self._switches = b"", 0
        if spawner:
            self._spawner, self._spawner_snapshot = spawner, spawner.snapshot()

    def attach(self, process: MeteredProcess) -> None:
        """Meter this process from now on."""
        self._process, self._slow, self._questions = process, True, SNAPSHOT_EVERY

    def begin(self) -> int:
        """Begin a question and return its start time, having taken new snapshots if the last ones are too old."""
        now_ns = monotonic_ns()
        if self._questions < SNAPSHOT_EVERY and now_ns - self._answered_ns < PONDERED_NS:
            self._questions += 1
            self._cpu_before_ns = self._cpu_after_ns
            return now_ns
        process = self._living
        if process.preloaded:  # spawned for this question, see expect()
            self._cpu_before_ns, self._helped_ns = 0, process.cpu_at_start_ns
            return process.started_ns
        self._snapshot(process, now_ns)
        return monotonic_ns()

    def _snapshot(self, process: MeteredProcess, now_ns: int) -> None:
        self._calm = 0 if self._slow else self._calm + 1
        if self._calm == CALM:
            process.count_no_more()
        threads = process.threads
        self._threads = threads.snapshot()
        # Another file to read, so only for agents that are likely to be looked at.
        self._switches = threads.voluntary_switches() if self._slow else -1
        self._slow = False
        self._snapshot_machine(now_ns)
        self._cpu_before_ns = process.own_cpu_ns()
        self._helped_ns = process.cpu_ns() - self._cpu_before_ns if process.has_helped else 0

    def _snapshot_machine(self, now_ns: int) -> None:
        machine = self._machine
        self._arbiter, self._steal, self._questions = machine.arbiter.snapshot(), machine.steal.snapshot(now_ns), 0
        self._spawner = None

    # -- a quick answer

    def finish_quick(self, wall_ns: int, now_ns: int, cpu_after_ns: int) -> tuple[int, int]:
        """End a question that was answered before anything needed to be read. Returns CPU time and charge."""
        cpu_ns = cpu_after_ns - self._cpu_before_ns
        self._cpu_after_ns, self._answered_ns = cpu_after_ns, now_ns
        # Without a wait, the fair clock and the wall clock agree.
        return cpu_ns, charge("cpu", wall_ns, cpu_ns, 0) if self._clock == "cpu" else wall_ns

    # -- any other question

    def open(self, start_ns: int) -> None:
        """Start metering in full the question begun at ``start_ns``."""
        self._start_ns, self._cpu_base_ns = start_ns, self._cpu_before_ns + self._helped_ns
        self._waits, self._banked_ns, self.looked_ns = {}, 0, 0
        self.usage = Usage()

    def wait_on(self, *, backlog: bool) -> None:
        """Note that the arbiter goes back to waiting for the answer. Its own run-queue wait so far delayed the agent only
        if there was a ``backlog``: the agent was waiting for the arbiter to read or write."""
        if backlog:
            self._banked_ns += self._machine.arbiter.since(self._arbiter)
        self._arbiter, self._spawner = self._machine.arbiter.snapshot(), None

    def overslept(self, late_ns: int) -> None:
        """Note that the arbiter was woken late. Unless it was waiting for a core, the whole machine stood still, as a virtual
        machine does when its host pauses it; the kernel mistakes that for CPU time of the running process."""
        stall_ns = late_ns - self._machine.arbiter.since(self._arbiter)
        if stall_ns >= OVERSLEPT_NS:
            self.usage.stall_ns += stall_ns

    def look(self, now_ns: int, *, answered: bool = False) -> Usage:
        """Take all readings for the open question; ``answered``: it was answered at this time."""
        usage, process = self.usage, self._living
        self.looked_ns = now_ns
        usage.cpu_ns = max(0, process.cpu_ns() - self._cpu_base_ns)
        if now_ns - self._start_ns - usage.cpu_ns < NEGLIGIBLE_NS and not usage.stall_ns:
            return usage
        if process.exit_code is None:
            usage.slept = process.threads.may_have_slept(self._switches, answered=answered)
            if usage.slept:
                for thread, waited_ns in process.threads.waits(self._threads, usage.cpu_ns).items():
                    self._waits[thread] = max(waited_ns, self._waits.get(thread, 0))
                usage.agent_wait_ns = total_wait(self._waits)
        usage.arbiter_wait_ns = self._banked_ns + self._machine.arbiter.since(self._arbiter)
        if self._spawner:
            usage.arbiter_wait_ns += self._spawner.since(self._spawner_snapshot)
        if usage.waited_ns(now_ns - self._start_ns) >= COUNTED_NS:
            process.count_everything()
        return self.look_for_steal(now_ns)

    def ran_and_waited_ns(self) -> tuple[int, int]:
        """Return how long the agent had run and waited at the last look."""
        wall_ns = self.looked_ns - self._start_ns if self.looked_ns else 0
        return self.usage.worked_ns, self.usage.waited_ns(wall_ns) if wall_ns >= NEGLIGIBLE_NS else 0

    def look_for_steal(self, now_ns: int) -> Usage:
        """Read CPU steal time, if it could explain anything."""
        usage = self.usage
        if usage.stall_ns or (usage.slept and usage.unexplained_ns(now_ns - self._start_ns) >= NEGLIGIBLE_NS):
            usage.steal_ns = self._machine.steal.since(self._steal, self._cores or os.sched_getaffinity(0))
        return usage

    def look_before_reaping(self, now_ns: int) -> None:
        """Look at a process that has ended: the figures of its main thread are lost when it is reaped."""
        process = self._living
        used_ns = process.own_cpu_ns() if process.preloaded else 0
        if now_ns - self._start_ns - used_ns >= NEGLIGIBLE_NS:
            self.look(now_ns, answered=True)

    def agent_is_ready(self) -> bool:
        """Whether the agent is running or in the run queue, so that its wait is not known in full."""
        return self._living.is_ready()

    def may_miss_steal(self) -> bool:
        """Whether there may be CPU steal time that the kernel has not counted yet."""
        return self._machine.steal.ever()

    def finish(self, wall_ns: int, *, first: bool) -> Times:
        """End the question by the readings of the last look; ``first``: it was the first of its process."""
        usage, cpu_after_ns = self.usage, max(self._cpu_before_ns, self._living.own_cpu_ns())
        if wall_ns >= NEGLIGIBLE_NS or first:
            self._slow, self._questions = True, SNAPSHOT_EVERY
        cpu_ns, charged_ns = self.finish_quick(wall_ns, monotonic_ns(), cpu_after_ns)
        if wall_ns < NEGLIGIBLE_NS:  # too short to be worth a look, and for helpers to matter
            return Times(wall_ns, cpu_ns, 0, charged_ns)
        # Agent, arbiter and host may have waited at the same time, which must not add up to more than there was.
        worked_ns = usage.worked_ns
        waited_ns = min(usage.waited_ns(wall_ns), max(0, wall_ns - worked_ns))
        return Times(wall_ns, usage.cpu_ns, waited_ns, charge(self._clock, wall_ns, worked_ns, waited_ns))

    @property
    def _living(self) -> MeteredProcess:
        if self._process is None:
            raise AssertionError("a question is begun before it is metered")
        return self._process
