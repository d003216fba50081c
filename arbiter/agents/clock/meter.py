"""The account of a seat: what the question that is being asked there costs its agent.

What the kernel tells of an agent comes with delay: how long it waited for a core when it gets one, what the host of a
virtual machine stole at the next tick. So an agent that seems late is ruled late only when all is told.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import monotonic_ns

from arbiter.agents.ask.answer import Answer
from arbiter.agents.clock.charge import Clock, RunQueueWait, charge
from arbiter.agents.clock.schedstat import Mark, in_turn
from arbiter.agents.clock.steal import StealTime
from arbiter.agents.launch.process import AgentProcess

GLANCE_NS = 1_000_000
"""Waiting that is not worth a reading: answers quicker than this, or than this more than their CPU time, are charged as
they come."""
STILL_NS = 3_000_000
"""Being woken so much too late means something; timers are never quite exact."""
UNTOLD_NS = 20_000_000
"""The kernel knows of the rest if a machine stood still for less than this."""
MARK_EVERY = 32
"""Quick answers in a row for which one reading of the waiting times will do."""
PONDERED_NS = 100_000
"""An agent may have been running since its last answer if that is longer ago than this: read it anew."""
SLOW = MARK_EVERY + 1
"""Instead of a number of quick answers: the last one was none."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What is to be known of the machine that games are played on: how long the arbiter waits for it, what is stolen."""

    own: RunQueueWait
    stolen: StealTime

    def close(self) -> None:
        """No more readings."""
        self.own.close()
        self.stolen.close()


class Meter:
    """Of one seat; for one question after the other."""

    __slots__ = (
        "_agent_waited_ns", "_banked_ns", "_before_ns", "_clock", "_cores", "_cpu_mark_ns", "_known_cpu_ns", "_known_ns", "_machine", "_mark",
        "_own_cpu_mark_ns", "_own_mark", "_own_waited_ns", "_pid", "_process", "_rests", "_sleepless", "_spawner", "_spawner_mark", "_start_ns", "_still_ns", "_stolen_mark", "_stolen_ns", "_waits", "answered_ns",
        "cpu_after_ns", "cpu_ns", "seen_ns", "unmarked", "waited_ns",
    )  # fmt: skip

    def __init__(self, clock: Clock, machine: Machine, cores: frozenset[int] | None) -> None:
        self._clock, self._machine, self._cores = clock, machine, cores
        self._mark: Mark = b""
        self._own_mark = self._stolen_mark = b""
        """What the agent had waited for a core before the question and the arbiter before it began to listen, and what
        had been stolen."""
        self._cpu_mark_ns = self._own_cpu_mark_ns = 0
        """What the agent had used by then: all of it, and its process alone."""
        self.unmarked = 0
        """Questions since the marks were taken."""
        self.cpu_after_ns = self.answered_ns = 0
        """CPU time of the agent's process alone after its last answer, and when that was."""
        self._spawner: RunQueueWait | None = None
        """Whose waiting for a core delays the answer, too."""
        self._spawner_mark = b""
        self._process: AgentProcess
        self._pid = 0
        self._start_ns = self._before_ns = 0
        self.cpu_ns = self.waited_ns = 0
        """For the question, when it was last looked at; waited for a core, that is, through no doing of its own."""
        self._rests = -1
        """How often it had rested before the question; -1 if that is not known."""
        self._sleepless = False
        """It has not slept over the question: whatever time it lost was taken from it."""
        self._waits: dict[int, int] = {}
        """The longest that each of its threads was known to have waited; some have ended since."""
        self._agent_waited_ns = self._own_waited_ns = self._banked_ns = 0
        self._still_ns = self._stolen_ns = 0
        """How long the machine stood still, and how much of that the kernel has noticed."""
        self.seen_ns = 0
        """When it was last looked at."""
        self._known_ns = self._known_cpu_ns = 0
        """When it was last seen to have been running, and its CPU time then."""

    def expect(self, spawner: RunQueueWait | None, now: int) -> None:
        """A process is about to be started that has its question already."""
        self._mark_machine(now)
        self._mark, self._rests, self._spawner = b"", 0, spawner
        if spawner:
            self._spawner_mark = spawner.mark()

    def open(self, process: AgentProcess, start_ns: int) -> None:
        """A question is asked. A process that was expected has been asked when it was started, and all it has done since
        is for this question."""
        if process.told:
            self._begin(process, process.started_ns, process.cpu_at_start_ns)
            return
        if process.pid == self._pid and self.unmarked < MARK_EVERY and start_ns - self.answered_ns < PONDERED_NS:
            self.unmarked += 1
            own_cpu_ns = self.cpu_after_ns
        else:
            self.mark(process, start_ns, slow=self.unmarked == SLOW or process.pid != self._pid)
            own_cpu_ns = self._own_cpu_mark_ns
        self.reopen(process, start_ns, own_cpu_ns)

    def reopen(self, process: AgentProcess, start_ns: int, own_cpu_ns: int) -> None:
        """A question that was asked the quick way needs the whole account; ``own_cpu_ns`` was of its process alone."""
        self._begin(process, start_ns, self._cpu_mark_ns + own_cpu_ns - self._own_cpu_mark_ns)

    def _begin(self, process: AgentProcess, start_ns: int, before_ns: int) -> None:
        self._process, self._pid, self._start_ns, self._before_ns = process, process.pid, start_ns, before_ns
        self.cpu_ns = self.waited_ns = self._agent_waited_ns = self._own_waited_ns = self._banked_ns = 0
        self._known_ns = self._known_cpu_ns = 0
        self._still_ns = self._stolen_ns = self.seen_ns = 0
        self._waits = {}
        self._sleepless = False

    def mark(self, process: AgentProcess, now: int, *, slow: bool) -> None:
        """Take note of what has been used and waited so far, and of what was stolen. ``slow``: it may take its time."""
        self._mark, self._spawner = process.threads.mark(), None
        self._rests = process.threads.rests() if slow else -1
        self._own_cpu_mark_ns = process.own_cpu_ns()
        self._cpu_mark_ns = process.cpu_ns() if process.has_helped else self._own_cpu_mark_ns
        self._mark_machine(now)

    def _mark_machine(self, now: int) -> None:
        machine = self._machine
        self._own_mark, self._stolen_mark, self.unmarked = machine.own.mark(), machine.stolen.mark(now), 0

    def go_on(self, *, delayed: bool) -> None:
        """The arbiter waits on: that it had to wait for a core itself until now has delayed no answer, unless the agent
        was waiting for it to read or to write."""
        if delayed:
            self._banked_ns += self._machine.own.since(self._own_mark)
        self._own_mark, self._spawner = self._machine.own.mark(), None

    def oversleep(self, late_ns: int) -> None:
        """The arbiter was woken so late. As far as it was not waiting for a core since, the machine stood still: a pause of
        a virtual machine, say. Kernels do not know, and take it for CPU time of whoever was running."""
        still_ns = late_ns - self._machine.own.since(self._own_mark)
        if still_ns >= STILL_NS:
            self._still_ns += still_ns

    @property
    def _worked_ns(self) -> int:
        """Its CPU time without what cannot have been any. What is stolen is no CPU time, but told in coarse steps."""
        untold_ns = self._still_ns - self._stolen_ns
        return max(0, self.cpu_ns - untold_ns) if untold_ns >= UNTOLD_NS else self.cpu_ns

    def look(self, now: int, *, done: bool = False) -> None:
        """See what it has used, and how long it had to wait through no doing of its own; ``done``: for its answer."""
        process, self.seen_ns = self._process, now
        self.cpu_ns = max(0, process.cpu_ns() - self._before_ns)
        if now - self._start_ns - self.cpu_ns < GLANCE_NS and not self._still_ns:
            return
        if process.exit_code is None:
            self._sleepless = not process.threads.rested(self._rests, done=done)
        if process.exit_code is None and not self._sleepless:
            for thread, waited_ns in process.threads.waited(self._mark, self.cpu_ns).items():
                self._waits[thread] = max(waited_ns, self._waits.get(thread, 0))
            self._agent_waited_ns = in_turn(self._waits)
        self._own_waited_ns = self._banked_ns + self._machine.own.since(self._own_mark)
        if self._spawner:
            self._own_waited_ns += self._spawner.since(self._spawner_mark)
        self.count_stolen(now)

    def look_last(self, now: int) -> None:
        """The process has ended, and is about to be reaped: see what can be seen only until then."""
        used_ns = self._process.own_cpu_ns() if self._process.told else 0
        if now - self._start_ns - used_ns >= GLANCE_NS:
            self.look(now, done=True)

    def count_stolen(self, now: int) -> None:
        """See what was stolen, if there is any time that is not accounted for otherwise."""
        if self._still_ns:
            self._stolen_ns = self._look_what_was_stolen()
        if self._sleepless:
            self.waited_ns = now - self._start_ns - self._worked_ns
            return
        self.waited_ns = self._agent_waited_ns + self._own_waited_ns
        lost_ns = now - self._start_ns - self._worked_ns - self.waited_ns
        if lost_ns >= GLANCE_NS:
            self._stolen_ns = self._look_what_was_stolen()
            self.waited_ns += min(lost_ns, max(self._stolen_ns, self._still_ns))

    def _look_what_was_stolen(self) -> int:
        return self._machine.stolen.since(self._stolen_mark, self._cores or os.sched_getaffinity(0))

    def charge(self, until_ns: int) -> int:
        """By what is known from the last look."""
        return charge(self._clock, until_ns - self._start_ns, self._worked_ns, self.waited_ns)

    def may_be_in_time(self, limit_ns: int, now: int) -> bool:
        """Whether an agent that seems late at this look may turn out not to be when all is told. If it has been running
        since an earlier look, all is told of the time before that."""
        if self._clock != "fair" or self._worked_ns >= limit_ns:
            return False
        first, ran = not self._known_ns, self.cpu_ns > self._known_cpu_ns
        if ran and not first:
            known_ns = charge(self._clock, self._known_ns - self._start_ns, self._known_cpu_ns, self.waited_ns)
            if known_ns >= limit_ns:
                return False
        if ran or first:
            self._known_ns, self._known_cpu_ns = now, self.cpu_ns
        return self._process.is_ready() or (first and self._machine.stolen.ever())

    def may_change(self, limit_ns: int, *, late: bool) -> bool:
        """Whether an answer that seems ``late`` may turn out not to be when what was stolen is told, or the other way."""
        if self._clock != "fair" or not self._machine.stolen.ever():
            return False
        return self._worked_ns < limit_ns if late else self._worked_ns < limit_ns <= self.cpu_ns

    def close(self, answer: Answer, wall_ns: int) -> None:
        """Write the times of an answer into it, as they were when it was judged."""
        process = self._process
        self.cpu_after_ns, self.answered_ns = process.own_cpu_ns(), monotonic_ns()
        if wall_ns < GLANCE_NS:  # nobody has looked, and it cannot have had much help
            before_ns = self._before_ns - self._cpu_mark_ns + self._own_cpu_mark_ns
            self.cpu_ns = max(0, self.cpu_after_ns - (0 if process.told else before_ns))
        if wall_ns >= GLANCE_NS or answer.started:  # of whom nothing is known yet
            self.unmarked = SLOW
        answer.cpu_ns = self.cpu_ns
        # Agent, arbiter and host may have waited at the same time: more than all there was makes no sense in a record.
        answer.wall_ns, answer.waited_ns = wall_ns, min(self.waited_ns, max(0, wall_ns - self._worked_ns))
        answer.charged_ns = charge(self._clock, wall_ns, self._worked_ns, answer.waited_ns)
