"""What an answer is charged: pure arithmetic, with invented readings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter import planning
from arbiter.agents.clock.charge import CLOCKS, NEGLIGIBLE_NS, Clock, Usage, charge, hard_limit_ns
from arbiter.game_settings import GameSettings
from arbiter.planning import make_plan
from tests.nullgame.place import adder

TIMES = st.integers(0, 10**12)


@given(st.sampled_from(CLOCKS), TIMES, TIMES, TIMES)
def test_no_charge_exceeds_wall_time(clock: Clock, wall_ns: int, cpu_ns: int, waited_ns: int) -> None:
    assert 0 <= charge(clock, wall_ns, cpu_ns, waited_ns) <= wall_ns


@pytest.mark.parametrize(
    ("clock", "wall", "cpu", "waited", "charged"),
    [
        ("fair", 100, 20, 70, 30),  # a busy machine costs nobody anything
        ("fair", 100, 0, 0, 100),  # a sleeper pays for its sleep
        ("fair", 100, 90, 300, 90),  # crowding oneself with threads buys nothing
        ("fair", 100, 250, 0, 100),  # nor do several cores cost more than the time that passed
        ("wall", 100, 20, 70, 100),
        ("cpu", 100, 20, 70, 20),
        ("cpu", 100, 250, 0, 100),
    ],
)
def test_the_three_clocks(clock: Clock, wall: int, cpu: int, waited: int, charged: int) -> None:
    assert charge(clock, wall, cpu, waited) == charged


MS = 1_000_000
USAGES = st.builds(Usage, TIMES, TIMES, TIMES, st.booleans(), TIMES, TIMES)


@pytest.mark.parametrize(
    ("usage", "waited", "charged"),
    [
        (Usage(cpu_ns=20 * MS), 0, 100),  # slept for the rest
        (Usage(cpu_ns=20 * MS, agent_wait_ns=50 * MS), 50, 50),
        (Usage(cpu_ns=20 * MS, agent_wait_ns=50 * MS, arbiter_wait_ns=10 * MS), 60, 40),
        (Usage(cpu_ns=20 * MS, slept=False), 80, 20),  # never gave up its core, so the rest was taken from it
        (Usage(cpu_ns=20 * MS, steal_ns=30 * MS), 30, 70),
        (Usage(cpu_ns=20 * MS, steal_ns=300 * MS), 80, 20),  # no more than is unexplained
        (Usage(cpu_ns=100 * MS, steal_ns=30 * MS), 0, 100),  # nothing is unexplained
        (Usage(cpu_ns=90 * MS, stall_ns=60 * MS), 60, 40),  # a stall that the kernel took for CPU time
        (Usage(cpu_ns=90 * MS, stall_ns=60 * MS, steal_ns=60 * MS), 10, 90),  # one that it noticed
    ],
)
def test_readings_add_up_to_a_charge(usage: Usage, waited: int, charged: int) -> None:
    wall_ns = 100 * MS
    assert (usage.waited_ns(wall_ns), usage.charged_ns("fair", wall_ns)) == (waited * MS, charged * MS)


@given(st.sampled_from(CLOCKS), USAGES, TIMES)
def test_readings_never_charge_more_than_wall_time(clock: Clock, usage: Usage, wall_ns: int) -> None:
    assert 0 <= usage.charged_ns(clock, wall_ns) <= wall_ns


@given(USAGES, TIMES)
def test_work_is_always_charged(usage: Usage, wall_ns: int) -> None:
    assert usage.charged_ns("fair", wall_ns) >= min(wall_ns, usage.worked_ns)


@given(USAGES, TIMES)
def test_sleep_is_charged_unless_the_machine_stole_or_stalled(usage: Usage, wall_ns: int) -> None:
    usage.steal_ns = usage.stall_ns = 0
    usage.slept = True
    waits_ns = usage.agent_wait_ns + usage.arbiter_wait_ns
    assert usage.charged_ns("fair", wall_ns) >= wall_ns - waits_ns - NEGLIGIBLE_NS


def test_however_little_is_charged_the_wall_has_an_end() -> None:
    assert hard_limit_ns(50_000_000) == 1_500_000_000


def test_without_kernel_figures_wall_time_is_charged_with_a_note(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [adder(place, "one", 1)]
    assert make_plan("count_up", agents).clock == "fair"
    monkeypatch.setattr(planning, "kernel_reports_waits", lambda: False)
    poor = make_plan("count_up", agents)
    assert (poor.clock, len(poor.notes)) == ("wall", 1)
    assert make_plan("count_up", agents, GameSettings(clock="wall")).notes == ()
