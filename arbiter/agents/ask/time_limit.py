"""The time limit of one question. Every LATE ruling is made here, on agents of this machine and of others.

Kernel readings lag behind: a process's run-queue wait is reported when it gets a core, CPU steal time at the next timer tick.
So an agent is ruled late only once no outstanding reading could change that.
"""

from __future__ import annotations

from arbiter.agents.ask.answer import Answer
from arbiter.agents.clock.budget import Budget
from arbiter.agents.clock.charge import NEGLIGIBLE_NS, Clock, Readings, charge, hard_limit_ns, settle
from arbiter.agents.clock.meter import Meter
from arbiter.agents.clock.steal import REPORT_DELAY_NS
from arbiter.game import Fault, FaultKind
from arbiter.units import show_duration


class TimeLimit:
    """The deadline of a question, which only uncharged time can move, and the readings that it is ruled by.

    From the start of the question to its end, nothing else takes readings for it.
    """

    __slots__ = (
        "_clock",
        "_hard_limit_ns",
        "_limit_ns",
        "_margin_ns",
        "_ran_cpu_ns",
        "_ran_ns",
        "_read_ns",
        "_readings",
        "_seen_ns",
        "deadline_ns",
        "meter",
        "rule_again_ns",
        "start_ns",
    )  # fmt: skip

    def __init__(
        self,
        clock: Clock,
        meter: Meter,
        limit_ns: int,
        start_ns: int,
        *,
        margin_ns: int = 0,
        all_counted: bool = False,
    ) -> None:
        """``margin_ns`` is the part of the limit by which an overrun is forgiven; ``all_counted``: the meter sees the CPU time
        of every process that the agent starts."""
        self._clock, self.meter, self._limit_ns, self.start_ns = clock, meter, limit_ns, start_ns
        self._margin_ns = margin_ns
        self._readings = meter.open(start_ns, limit_ns)
        self._read_ns = 0
        """When all readings were last taken."""
        self._hard_limit_ns = hard_limit_ns(clock, limit_ns, all_counted=all_counted)
        self.deadline_ns = start_ns + limit_ns
        """The current deadline, on the monotonic clock."""
        self.rule_again_ns = 0
        """When to rule again on an answer that came after the limit; 0 unless that ruling was put off."""
        self._ran_ns = self._ran_cpu_ns = self._seen_ns = 0
        """When the agent was last seen to have run, and its CPU time then: all of it, and that of its living processes."""

    def restart(self) -> None:
        """Start the clock only now, when the prompt is about to be written."""
        self.start_ns = self.meter.restart()
        self.deadline_ns = self.start_ns + self._limit_ns

    def read(self, now_ns: int) -> Readings:
        """Take all readings."""
        self._read_ns = now_ns
        self._readings = self.meter.read(now_ns)
        return self._readings

    def read_before_reaping(self, now_ns: int) -> None:
        """Take the readings that are lost when the process, which has exited, is reaped."""
        if self.meter.read_before_reaping(now_ns):
            self._read_ns = now_ns

    def is_over(self, now_ns: int) -> bool:
        """Rule whether an agent that has not answered by now is late. At the deadline it is given the time that it was not
        charged, up to the hard limit."""
        if now_ns <= self.deadline_ns:
            return False
        if self._clock == "wall":
            return True
        left_ns = self._limit_ns - settle(self._clock, now_ns - self.start_ns, self.read(now_ns)).charged_ns
        if left_ns <= 0 and self._may_be_in_time(now_ns):
            left_ns = REPORT_DELAY_NS
        # The hard limit is for agents; it does not include time in which the arbiter itself could not read.
        deaf_ns = self._readings.late_ns + self._readings.arbiter_wait_ns
        self.deadline_ns = min(now_ns + left_ns, self.start_ns + self._hard_limit_ns + deaf_ns)
        return self.deadline_ns <= now_ns

    def allows(self, answered_ns: int, now_ns: int) -> bool | None:
        """Rule whether an answer came in time; None to rule again at :attr:`rule_again_ns`. An answer after the limit is in
        time if it is charged less than that."""
        wall_ns = answered_ns - self.start_ns
        if wall_ns >= NEGLIGIBLE_NS:
            if self.rule_again_ns:
                self._readings = self.meter.read_again(answered_ns)
            else:
                self.read(answered_ns)
        if wall_ns <= self._limit_ns or self._clock == "wall":
            return True
        late = settle(self._clock, wall_ns, self._readings).charged_ns > self._limit_ns
        if now_ns < answered_ns + REPORT_DELAY_NS and self._may_change(now_ns, late=late):
            self.rule_again_ns = answered_ns + REPORT_DELAY_NS
            return None
        return not late

    def close(self, ended_ns: int) -> None:
        """Take the last readings for a question that ended in a fault, unless a LATE ruling has just taken them."""
        if ended_ns - self.start_ns >= NEGLIGIBLE_NS and self._read_ns != ended_ns:
            self.read(ended_ns)

    def fault(self, partial_bytes: int = 0) -> Fault:
        """Return the LATE fault; ``partial_bytes`` of an unfinished line had arrived."""
        return _no_answer(self._limit_ns, partial_bytes, self._margin_ns)

    def _may_be_in_time(self, now_ns: int) -> bool:
        """Whether outstanding readings may show that the agent, which seems late at this look, is not. If it has run since
        an earlier look, the readings are complete up to that look."""
        found = self._readings
        if self._clock != "fair":
            return False
        if found.worked_ns >= self._limit_ns:
            return self.meter.may_miss_stall(now_ns)
        seen_ns = self.meter.seen_cpu_ns()
        first, ran = not self._ran_ns, seen_ns > self._seen_ns
        if ran and not first:
            waited_ns = settle(self._clock, now_ns - self.start_ns, found).waited_ns
            if charge(self._clock, self._ran_ns - self.start_ns, self._ran_cpu_ns, waited_ns) >= self._limit_ns:
                return False
        if ran or first:
            self._ran_ns, self._ran_cpu_ns, self._seen_ns = now_ns, found.cpu_ns, seen_ns
        return self.meter.agent_is_ready() or (first and self.meter.may_miss_steal())

    def _may_change(self, now_ns: int, *, late: bool) -> bool:
        """Whether readings that are reported with a delay may overturn the ruling on an answer."""
        if self._clock != "fair" or not late:
            return False
        if self._readings.worked_ns >= self._limit_ns:
            return self.meter.may_miss_stall(now_ns)
        return self.meter.may_miss_steal()


def late_by_wall(limit_ns: int, wall_ns: int | None) -> Fault | None:
    """Rule on an agent on another machine, which pays for all the time it took; ``wall_ns`` is None if it never answered.
    Returns the LATE fault, or None."""
    return _no_answer(limit_ns) if wall_ns is None or wall_ns > limit_ns else None


def late_by_budget(answer: Answer, budget: Budget, total_ns: int) -> Fault | None:
    """Rule on an agent before it is asked: it is late if it has no time left for the game. Its clock then gets the increment
    of this turn. Returns the LATE fault, or None."""
    if not budget.used_up:
        return None
    budget.skip()
    answer.left_ns = budget.left_ns
    return Fault(FaultKind.LATE, f"has used up its {show_duration(total_ns)} for the game")


def _no_answer(limit_ns: int, partial_bytes: int = 0, margin_ns: int = 0) -> Fault:
    """Return the fault of an agent that did not answer in time."""
    amount = "1 byte" if partial_bytes == 1 else f"{partial_bytes} bytes"
    partial = f" ({amount} came, but no end of line)" if partial_bytes else ""
    within = show_duration(limit_ns - margin_ns)
    forgiven = f" and a margin of {show_duration(margin_ns)}" if margin_ns else ""
    return Fault(FaultKind.LATE, f"no answer within {within}{forgiven}{partial}")
