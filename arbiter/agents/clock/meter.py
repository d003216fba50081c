"""The meter of one seat: takes the readings that an answer's charge is computed from.

All kernel readings are taken here; :mod:`arbiter.agents.clock.charge` computes the charge. Quick answers of
a long-lived agent skip everything between :meth:`Meter.begin` and :meth:`Meter.finish_quick`: snapshots are shared by
several questions, and a wait too short to matter is not read.
"""

from __future__ import annotations

from time import monotonic_ns
from typing import NamedTuple

from arbiter.agents.clock.charge import NEGLIGIBLE_NS, Clock, Readings, charge, settle
from arbiter.agents.clock.metered import MeteredProcess
from arbiter.agents.clock.schedstat import Snapshot, total_wait
from arbiter.agents.clock.stalls import MachineReadings, Stalls

OVERSLEPT_NS = 3_000_000
"""A wake-up that is later than this counts as a stall; smaller delays are timer inaccuracy."""
SHARED_NS = 2_000_000
"""How long quick answers share one snapshot. Run-queue wait in this time before a question counts as if it had been
during the question."""
PONDERED_NS = 100_000
"""An agent may have been pondering if its last answer is older than this: its CPU time is read again."""


class Times(NamedTuple):
    """The times of one answer, in nanoseconds."""

    wall_ns: int
    cpu_ns: int
    waited_ns: int
    charged_ns: int


class Meter:
    """Meters the agent of one seat, question by question."""

    __slots__ = (
        "_answered_ns", "_arbiter", "_arbiter_before", "_banked_ns", "_before_ns", "_clock", "_cpu_after_ns", "_cpu_base_ns", "_cpu_before_ns", "_helped_ns", "_process",
        "_queued_ns", "_read_ns", "_readings", "_resumed_ns", "_seen_ns", "_stale_ns", "_stalls", "_start_ns", "_threads", "_waits", "may_miss_stall", "may_miss_steal",
    )  # fmt: skip

    def __init__(
        self,
        clock: Clock,
        machine: MachineReadings,
        cores: frozenset[int] | None,
        seat: int = 0,
        *,
        contained: bool = True,
    ) -> None:
        """``contained``: the agent sees only its own processes."""
        self._clock, self._arbiter = clock, machine.arbiter
        # An agent that could stop a sentinel with a signal would have its own work counted as a stall.
        self._stalls = Stalls(machine, cores, seat, watched=contained and clock == "fair")
        self.may_miss_stall, self.may_miss_steal = self._stalls.may_miss_stall, self._stalls.may_miss_steal
        self._process: MeteredProcess | None = None
        self._start_ns = 0
        # Snapshots before the question: threads, run-queue wait of the arbiter, CPU time of helpers.
        self._threads: Snapshot = b""
        self._arbiter_before = b""
        self._helped_ns = 0
        self._stale_ns = 0
        """When the snapshots are too old for another question."""
        # CPU time of the process before and after the question, and when it was answered.
        self._cpu_before_ns = self._cpu_after_ns = self._answered_ns = 0
        self._cpu_base_ns = 0
        """CPU time before the question, helpers included."""
        self._waits: dict[int, int] = {}
        """The longest net wait seen of each thread; some of them have ended since."""
        self._banked_ns = 0
        """Run-queue wait that delayed the agent: of its spawner, and of the arbiter in earlier wake-ups for the same question."""
        self._before_ns = self._resumed_ns = 0
        """Its run-queue wait before it went back to waiting, not banked, and when that was."""
        # Run-queue wait of the arbiter while it was awake for this question before its last sleep, and in that sleep.
        self._queued_ns = self._seen_ns = 0
        self._readings = Readings()
        """The readings of the open question, which belong to it."""
        self._read_ns = 0
        """When the last reading was taken."""

    # -- before the question

    def expect(self) -> None:
        """Note that a process is about to be spawned for a question, and take the snapshots: the question begins with it. What
        can be read only of an earlier process in the same sandbox is not known for the first one."""
        now_ns = monotonic_ns()
        self._stalls.expect(now_ns)
        self._arbiter_before = self._arbiter.snapshot()
        if self._process is not None:
            self._stalls.snapshot(self._process, now_ns)

    def attach(self, process: MeteredProcess) -> None:
        """Meter this process from now on."""
        if self._process is None and process.preloaded:
            self._stalls.snapshot(process, monotonic_ns())
        self._process, self._stale_ns = process, 0

    def begin(self) -> int:
        """Begin a question and return its start time, having taken new snapshots if the last ones are too old."""
        now_ns = monotonic_ns()
        if now_ns < self._stale_ns:
            if now_ns - self._answered_ns < PONDERED_NS:
                self._cpu_before_ns = self._cpu_after_ns
                return now_ns
            self._read_cpu_before(self._living)
            return monotonic_ns()
        process = self._living
        if (
            process.preloaded
        ):  # the snapshots were taken before it was spawned; its run-queue wait counts from its start
            self._threads, self._cpu_before_ns, self._helped_ns = b"", 0, process.cpu_at_start_ns
            return process.started_ns
        self._snapshot(process, now_ns)
        return monotonic_ns()

    def _snapshot(self, process: MeteredProcess, now_ns: int) -> None:
        self._stalls.expect(now_ns)
        self._threads = process.threads.snapshot()
        self._arbiter_before = self._arbiter.snapshot()
        self._stalls.snapshot(process, now_ns)
        self._stale_ns = now_ns + SHARED_NS
        self._read_cpu_before(process)

    def _read_cpu_before(self, process: MeteredProcess) -> None:
        self._cpu_before_ns = process.own_cpu_ns()
        self._helped_ns = process.cpu_ns() - self._cpu_before_ns if process.has_helped else 0

    # -- a quick answer

    def finish_quick(self, wall_ns: int, now_ns: int, cpu_after_ns: int) -> tuple[int, int]:
        """End a question that was answered so quickly that nothing was read. Returns CPU time and charge."""
        cpu_ns = cpu_after_ns - self._cpu_before_ns
        self._cpu_after_ns, self._answered_ns = cpu_after_ns, now_ns
        # Without a wait, the fair clock and the wall clock agree.
        return cpu_ns, charge("cpu", wall_ns, cpu_ns, 0) if self._clock == "cpu" else wall_ns

    # -- any other question

    def open(self, start_ns: int, limit_ns: int) -> Readings:
        """Start metering in full the question begun at ``start_ns``; return its readings, which every reading updates."""
        self._start_ns, self._cpu_base_ns = start_ns, self._cpu_before_ns + self._helped_ns
        self._waits, self._before_ns, self._read_ns = {}, 0, 0
        self._banked_ns = self._living.launch_wait_ns if self._living.preloaded else 0
        self._queued_ns = self._seen_ns = 0
        self._readings = Readings()
        self._stalls.begin(self._living, self._cpu_before_ns, self._cpu_base_ns, start_ns, limit_ns)
        return self._readings

    def restart(self) -> int:
        """Start the open question only now, when its prompt is about to be written; return the time. Until then the agent waits,
        even if the arbiter has to wait for a core itself."""
        self._arbiter_before = self._arbiter.snapshot()
        self._start_ns = monotonic_ns()
        return self._start_ns

    def resume_waiting(self, now_ns: int, *, backlog: bool) -> None:
        """Note that the arbiter goes back to waiting for the answer. Its own run-queue wait so far delayed the agent only
        if there was a ``backlog``: the agent was waiting for the arbiter to read or write."""
        waited_ns = self._arbiter.since(self._arbiter_before)
        if backlog:
            self._banked_ns += waited_ns
        self._before_ns = 0 if backlog else waited_ns
        self._arbiter_before, self._resumed_ns = self._arbiter.snapshot(), monotonic_ns()
        self._queued_ns, self._seen_ns = waited_ns - self._seen_ns, 0
        self._stalls.watch(self._living, self._start_ns, now_ns)

    def overslept(self, slept_ns: int, meant_ns: int, busy_ns: int = 0) -> None:
        """Note that the arbiter slept for ``slept_ns``, which had ``meant_ns`` as its limit, and that ``busy_ns`` had passed
        before that. Unless it was waiting for a core, it or the machine was stopped, perhaps from the start of its sleep, and the
        agent may have been waiting for it."""
        self._seen_ns = self._arbiter.since(self._arbiter_before)
        late_ns = max(0, slept_ns - meant_ns)
        stopped_ns = late_ns - self._seen_ns
        if stopped_ns >= OVERSLEPT_NS:
            self._readings.late_ns += stopped_ns + meant_ns
        busy_ns -= self._queued_ns + max(0, -stopped_ns)
        if busy_ns >= OVERSLEPT_NS:
            self._readings.late_ns += busy_ns

    def held_up(self, wait_ns: int) -> None:
        """Note that the agent may have waited this long for the arbiter to read its output."""
        self._readings.late_ns += wait_ns

    def read(self, now_ns: int) -> Readings:
        """Take all readings for the open question."""
        found, process = self._readings, self._living
        self._read_ns, wall_ns = now_ns, now_ns - self._start_ns
        found.cpu_ns = max(0, process.cpu_ns() - self._cpu_base_ns)
        self._stalls.read_core(found)
        if wall_ns - found.cpu_ns < NEGLIGIBLE_NS:
            return found
        if process.exit_code is None:
            for thread, waited_ns in process.threads.waits(self._threads, found.cpu_ns).items():
                self._waits[thread] = max(waited_ns, self._waits.get(thread, 0))
            found.agent_wait_ns = total_wait(self._waits)
        found.arbiter_wait_ns = self._banked_ns + self._arbiter_wait_ns(now_ns)
        self._stalls.read_rest(found, process, wall_ns)
        return found

    def _arbiter_wait_ns(self, now_ns: int) -> int:
        """Return the arbiter's run-queue wait since it went back to waiting, and that before if it had nothing to wait for: the
        answer was there already."""
        waited_ns = self._arbiter.since(self._arbiter_before)
        at_once = now_ns - self._resumed_ns - waited_ns < NEGLIGIBLE_NS
        return waited_ns + (self._before_ns if at_once else 0)

    def read_again(self, now_ns: int) -> Readings:
        """Take those readings again that the kernel and the sentinel report with a delay."""
        self._stalls.read_core(self._readings)
        self._stalls.read_rest(self._readings, self._living, now_ns - self._start_ns)
        return self._readings

    def ran_and_waited_ns(self) -> tuple[int, int]:
        """Return how long the agent had run and waited at the last reading."""
        wall_ns = self._read_ns - self._start_ns if self._read_ns else 0
        if wall_ns < NEGLIGIBLE_NS:
            return self._readings.worked_ns, 0
        return self._readings.worked_ns, settle("fair", wall_ns, self._readings).waited_ns

    def read_before_reaping(self, now_ns: int) -> bool:
        """Take the readings of a process that has exited: those of its main thread are lost when it is reaped. Returns False
        if it was too quick for that to matter."""
        process = self._living
        used_ns = process.own_cpu_ns() if process.preloaded else 0
        matters = now_ns - self._start_ns - used_ns >= NEGLIGIBLE_NS
        if matters:
            self.read(now_ns)
        return matters

    def seen_cpu_ns(self) -> int:
        """Return the CPU time of the agent's living processes. It changes only if one of them has run; that of a cgroup may be its
        spawner's."""
        return self._living.seen_cpu_ns()

    def agent_is_ready(self) -> bool:
        """Whether the agent is running or in the run queue, so that its wait is not known in full."""
        return self._living.is_ready()

    def finish(self, wall_ns: int, *, first: bool) -> Times:
        """End the question by the last readings; ``first``: it was the first of its process."""
        found, cpu_after_ns = self._readings, max(self._cpu_before_ns, self._living.own_cpu_ns())
        self._stalls.rest(wall_ns)
        if wall_ns >= NEGLIGIBLE_NS or first:
            self._stale_ns = 0
        cpu_ns, charged_ns = self.finish_quick(wall_ns, monotonic_ns(), cpu_after_ns)
        if wall_ns < NEGLIGIBLE_NS:  # too short for readings to be worthwhile, and for helpers to matter
            return Times(wall_ns, cpu_ns, 0, charged_ns)
        breakdown = settle(self._clock, wall_ns, found)
        return Times(wall_ns, found.cpu_ns, breakdown.waited_ns, breakdown.charged_ns)

    @property
    def _living(self) -> MeteredProcess:
        if self._process is None:
            raise AssertionError("a question is begun before it is metered")
        return self._process
