"""Rulings on time, with invented readings: the one place where agents are ruled late."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.time_limit import TimeLimit, late_by_budget, late_by_wall
from arbiter.agents.clock.budget import Budget
from arbiter.agents.clock.charge import CLOCKS, Clock, Readings, hard_limit_ns, settle
from arbiter.agents.clock.steal import REPORT_DELAY_NS
from arbiter.game import Fault, FaultKind
from tests.tools import ROOT

from .invented import MS, InventedMeter

START = 10**12
LIMIT = 100 * MS
HARD_LIMIT = hard_limit_ns("fair", LIMIT, all_counted=False)


def limit(meter: InventedMeter, clock: Clock = "fair") -> TimeLimit:
    return TimeLimit(clock, meter, LIMIT, START)


def steady(*, cpu: float = 0.0, waited: float = 0.0) -> Callable[[int], Readings]:
    """Readings of an agent that works and waits for these shares of the time, and sleeps for the rest."""

    def read(now_ns: int) -> Readings:
        wall_ns = now_ns - START
        return Readings(cpu_ns=round(cpu * wall_ns), agent_wait_ns=round(waited * wall_ns))

    return read


@pytest.mark.parametrize("clock", CLOCKS)
def test_before_the_deadline_nothing_is_read(clock: Clock) -> None:
    meter = InventedMeter()
    assert not limit(meter, clock).is_over(START + LIMIT)
    assert meter.looks == []


def test_by_the_wall_clock_the_deadline_is_the_end() -> None:
    meter = InventedMeter(steady(waited=1.0))
    assert limit(meter, "wall").is_over(START + LIMIT + 1)
    assert meter.looks == []


def test_a_sleeper_is_late_at_the_deadline() -> None:
    assert limit(InventedMeter(steady())).is_over(START + LIMIT + 1)


def test_an_agent_that_waited_for_a_core_gets_that_time_and_no_more() -> None:
    time = limit(InventedMeter(steady(cpu=0.25, waited=0.75)))
    now_ns = START + LIMIT + 1
    while not time.is_over(now_ns):
        assert time.deadline_ns > now_ns
        now_ns = time.deadline_ns + 1
    assert 3.9 * LIMIT < now_ns - START < 4.1 * LIMIT


def test_however_little_is_charged_the_hard_limit_is_the_end() -> None:
    time = limit(InventedMeter(steady(waited=1.0)))
    assert not time.is_over(START + HARD_LIMIT - 1)
    assert time.is_over(START + HARD_LIMIT + 1)


def test_waits_of_an_agent_whose_processes_are_all_counted_may_last_longer() -> None:
    """Without that, an agent could pass off the work of children that nobody sees as a wait."""
    time = TimeLimit("fair", InventedMeter(steady(waited=1.0)), LIMIT, START, all_counted=True)
    assert not time.is_over(START + HARD_LIMIT + 1)
    assert time.is_over(START + hard_limit_ns("fair", LIMIT, all_counted=True) + 1)


def test_the_hard_limit_does_not_run_while_the_arbiter_is_stopped() -> None:
    meter = InventedMeter(lambda _: Readings(late_ns=HARD_LIMIT, cpu_ns=20 * MS, agent_wait_ns=1000 * MS))
    time = limit(meter)
    assert not time.is_over(START + HARD_LIMIT + 1)
    assert time.is_over(START + 2 * HARD_LIMIT + 1)


def test_an_agent_in_the_run_queue_is_looked_at_again() -> None:
    """Its wait is reported only when it gets a core."""
    waits = iter([0, 0, 80 * MS, 80 * MS])
    time = limit(InventedMeter(lambda _: Readings(cpu_ns=20 * MS, agent_wait_ns=next(waits)), ready=True))
    assert not time.is_over(START + LIMIT + 1)
    assert time.deadline_ns == START + LIMIT + 1 + REPORT_DELAY_NS
    assert not time.is_over(time.deadline_ns + 1)
    assert not time.is_over(time.deadline_ns + 1)


def test_an_agent_that_ran_after_sleeping_too_long_is_late() -> None:
    """It seems to be waiting for a core at the deadline, but it has run since, so all of its waits are known."""
    cpu = iter([10 * MS, 20 * MS])
    time = limit(InventedMeter(lambda _: Readings(cpu_ns=next(cpu)), ready=True))
    assert not time.is_over(START + LIMIT + 1)
    assert time.is_over(time.deadline_ns + 1)


def test_work_in_the_sandbox_that_is_not_the_agents_does_not_show_that_it_has_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The spawner may be in the agent's cgroup: its work says nothing about how long the agent has been in the run queue."""
    cpu = iter([1 * MS, 2 * MS])
    meter = InventedMeter(lambda _: Readings(cpu_ns=next(cpu)), ready=True)
    monkeypatch.setattr(meter, "seen_cpu_ns", lambda: 0)
    time = limit(meter)
    assert not time.is_over(START + LIMIT + 1)
    assert not time.is_over(time.deadline_ns + 1)


def test_an_agent_that_used_its_limit_is_late_whatever_it_waited_for() -> None:
    assert limit(InventedMeter(steady(cpu=1.0), ready=True, steal=True)).is_over(START + LIMIT + 1)


def test_a_stall_that_the_sentinel_has_not_counted_yet_puts_the_ruling_off() -> None:
    """The kernel may have taken a stall for CPU time."""
    behind = InventedMeter(steady(cpu=1.0), stall=True)
    time = limit(behind)
    assert not time.is_over(START + LIMIT + 1)
    behind._stall = False
    assert time.is_over(time.deadline_ns + 1)


def test_a_late_answer_is_ruled_on_when_the_sentinel_has_counted_the_stall() -> None:
    answered_ns = START + 150 * MS
    mistaken = [0, 60 * MS]
    time = limit(InventedMeter(lambda _: Readings(cpu_ns=150 * MS, mistaken_ns=mistaken.pop(0)), stall=True))
    assert time.allows(answered_ns, answered_ns) is None
    assert time.allows(answered_ns, time.rule_again_ns)


def test_steal_time_that_is_not_counted_yet_puts_the_ruling_off_once() -> None:
    time = limit(InventedMeter(steady(), steal=True))
    assert not time.is_over(START + LIMIT + 1)
    assert time.is_over(time.deadline_ns + 1)


# -- answers


@pytest.mark.parametrize(("wall_ms", "looks"), [(0.5, 0), (50, 1), (100, 1)])
def test_an_answer_within_the_limit_is_in_time(wall_ms: float, looks: int) -> None:
    meter = InventedMeter()
    answered_ns = START + round(wall_ms * MS)
    assert limit(meter).allows(answered_ns, answered_ns)
    assert meter.looks == [answered_ns] * looks


@pytest.mark.parametrize(("waited", "in_time"), [(0.6, True), (0.4, False)])
def test_an_answer_after_the_limit_goes_by_its_charge(waited: float, in_time: bool) -> None:
    answered_ns = START + 2 * LIMIT
    assert limit(InventedMeter(steady(waited=waited))).allows(answered_ns, answered_ns) is in_time


@pytest.mark.parametrize(("steal_ms", "in_time"), [(0, False), (60, True)])
def test_a_late_answer_is_ruled_on_when_steal_time_has_been_counted(steal_ms: int, in_time: bool) -> None:
    answered_ns = START + 150 * MS
    counted = [0, steal_ms * MS]
    meter = InventedMeter(lambda _: Readings(steal_ns=counted.pop(0)), steal=True)
    time = limit(meter)
    assert time.allows(answered_ns, answered_ns) is None
    assert time.rule_again_ns == answered_ns + REPORT_DELAY_NS
    assert time.allows(answered_ns, time.rule_again_ns) is in_time


def test_a_fault_is_looked_at_once() -> None:
    meter = InventedMeter()
    time = limit(meter)
    assert time.is_over(START + LIMIT + 1)
    time.close(START + LIMIT + 1)
    assert meter.looks == [START + LIMIT + 1]
    time.close(START + LIMIT + 2)
    assert len(meter.looks) == 2


@given(
    st.sampled_from(CLOCKS),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(LIMIT + 1, 20 * LIMIT),
    st.booleans(),
    st.booleans(),
)
def test_an_open_question_and_its_answer_get_the_same_ruling(
    clock: Clock, cpu: float, idle: float, wall_ns: int, ready: bool, steal: bool
) -> None:
    """An answer that is charged more than the limit is late; an agent is not ruled late before it is charged as much."""
    readings = steady(cpu=cpu, waited=(1 - cpu) * (1 - idle))
    now_ns = START + wall_ns
    time = limit(InventedMeter(readings, ready=ready, steal=steal), clock)
    charged_ns = settle(clock, wall_ns, readings(now_ns)).charged_ns
    if time.is_over(now_ns):
        assert charged_ns >= LIMIT or wall_ns >= HARD_LIMIT
    answered = limit(InventedMeter(readings), clock).allows(now_ns, now_ns)
    assert answered == (clock == "wall" or charged_ns <= LIMIT)


def test_faults_in_words() -> None:
    time = limit(InventedMeter())
    assert time.fault() == Fault(FaultKind.LATE, "no answer within 100ms")
    forgiving = TimeLimit("fair", InventedMeter(), LIMIT, START, margin_ns=30 * MS)
    assert forgiving.fault() == Fault(FaultKind.LATE, "no answer within 70ms and a margin of 30ms")
    assert time.fault(3) == Fault(FaultKind.LATE, "no answer within 100ms (3 bytes came, but no end of line)")


def test_an_agent_without_time_left_is_late_before_it_is_asked() -> None:
    answer, budget = Answer(0), Budget(50 * MS, 10 * MS, 0, 0)
    assert late_by_budget(answer, budget, 50 * MS) is None
    budget.allow(LIMIT)
    budget.spend(60 * MS)
    assert late_by_budget(answer, budget, 50 * MS) is None, "the increment is left"
    budget = Budget(50 * MS, 0, 0, 0)
    budget.spend(50 * MS)
    assert late_by_budget(answer, budget, 50 * MS) == Fault(FaultKind.LATE, "has used up its 50ms for the game")
    assert answer.left_ns == 0


@pytest.mark.parametrize(("wall_ns", "late"), [(0, False), (LIMIT, False), (LIMIT + 1, True), (None, True)])
def test_an_agent_on_another_machine_pays_for_all_its_time(wall_ns: int | None, late: bool) -> None:
    expected = Fault(FaultKind.LATE, "no answer within 100ms") if late else None
    assert late_by_wall(LIMIT, wall_ns) == expected


def test_no_other_module_rules_an_agent_late() -> None:
    found = [path for path in (ROOT / "arbiter").rglob("*.py") if "Fault(FaultKind.LATE" in path.read_text()]
    assert [path.name for path in found] == ["time_limit.py"]
