"""What an answer is charged: pure arithmetic, with invented readings."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.clock.charge import CLOCKS, NEGLIGIBLE_NS, Clock, Readings, charge, hard_limit_ns, settle
from arbiter.config.game_settings import GameSettings
from arbiter.playing import planning
from arbiter.playing.planning import make_plan
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
READINGS = st.builds(Readings, **dict.fromkeys(Readings.__struct_fields__, TIMES))


@pytest.mark.parametrize(
    ("readings", "waited", "charged"),
    [
        (Readings(cpu_ns=20 * MS), 0, 100),  # slept for the rest
        (Readings(cpu_ns=20 * MS, agent_wait_ns=50 * MS), 50, 50),
        (Readings(cpu_ns=20 * MS, agent_wait_ns=50 * MS, arbiter_wait_ns=10 * MS), 60, 40),
        (Readings(cpu_ns=20 * MS, steal_ns=30 * MS), 30, 70),
        (Readings(cpu_ns=20 * MS, steal_ns=300 * MS), 80, 20),  # no more than is unexplained
        (Readings(cpu_ns=100 * MS, steal_ns=30 * MS), 0, 100),  # nothing is unexplained
        (Readings(cpu_ns=20 * MS, memory_ns=30 * MS), 30, 70),
        (Readings(cpu_ns=20 * MS, agent_wait_ns=70 * MS, memory_ns=30 * MS), 80, 20),
        (Readings(cpu_ns=20 * MS, memory_ns=30 * MS, late_ns=10 * MS), 40, 60),
        (Readings(cpu_ns=20 * MS, memory_ns=30 * MS, blocked_ns=20 * MS), 30, 70),  # perhaps one and the same
        (Readings(cpu_ns=20 * MS, memory_ns=10 * MS, blocked_ns=20 * MS, steal_ns=30 * MS), 50, 50),
        (Readings(cpu_ns=20 * MS, stall_ns=30 * MS, steal_ns=20 * MS, late_ns=25 * MS), 30, 70),  # one and the same
        (Readings(cpu_ns=90 * MS, stall_ns=60 * MS, mistaken_ns=60 * MS), 60, 40),  # which the kernel took for work
        (Readings(cpu_ns=90 * MS, late_ns=60 * MS), 10, 90),  # work is work, although the arbiter was stopped
    ],
)
def test_readings_add_up_to_a_charge(readings: Readings, waited: int, charged: int) -> None:
    account = settle("fair", 100 * MS, readings)
    assert (account.waited_ns, account.charged_ns) == (waited * MS, charged * MS)


@given(st.sampled_from(CLOCKS), READINGS, TIMES)
def test_readings_never_charge_more_than_wall_time(clock: Clock, readings: Readings, wall_ns: int) -> None:
    account = settle(clock, wall_ns, readings)
    assert 0 <= account.charged_ns <= wall_ns
    assert 0 <= account.waited_ns <= wall_ns - account.worked_ns


@given(READINGS, TIMES)
def test_work_is_always_charged(readings: Readings, wall_ns: int) -> None:
    """Whatever else the readings say: only a stall that a sentinel saw makes less of CPU time."""
    assert settle("fair", wall_ns, readings).charged_ns >= min(wall_ns, readings.cpu_ns - readings.mistaken_ns)


@given(READINGS, TIMES, TIMES)
def test_more_sleep_is_charged_more(readings: Readings, wall_ns: int, sleep_ns: int) -> None:
    """Sleep changes no reading but the wall time, so nobody pays less for sleeping longer."""
    before, after = (settle("fair", wall, readings).charged_ns for wall in (wall_ns, wall_ns + sleep_ns))
    assert after >= before - NEGLIGIBLE_NS


@given(READINGS, TIMES, TIMES)
def test_more_work_is_charged_more(readings: Readings, wall_ns: int, more_ns: int) -> None:
    """An agent that works instead of sleeping pays no less for it."""
    harder = msgspec.structs.replace(readings, cpu_ns=readings.cpu_ns + more_ns)
    before, after = (settle("fair", wall_ns, found).charged_ns for found in (readings, harder))
    assert after >= before - NEGLIGIBLE_NS


@given(READINGS, TIMES, st.sampled_from(Readings.__struct_fields__), TIMES)
def test_no_reading_but_cpu_time_raises_the_charge(readings: Readings, wall_ns: int, name: str, more_ns: int) -> None:
    if name != "cpu_ns":
        more = msgspec.structs.replace(readings, **{name: getattr(readings, name) + more_ns})
        before, after = (settle("fair", wall_ns, found).charged_ns for found in (readings, more))
        assert after <= before + NEGLIGIBLE_NS


@given(READINGS, TIMES)
def test_sleep_is_charged_unless_the_machine_shows_a_stall(readings: Readings, wall_ns: int) -> None:
    calm = msgspec.structs.replace(
        readings, steal_ns=0, stall_ns=0, late_ns=0, memory_ns=0, blocked_ns=0, mistaken_ns=0
    )
    waits_ns = calm.agent_wait_ns + calm.arbiter_wait_ns
    assert settle("fair", wall_ns, calm).charged_ns >= wall_ns - waits_ns


@pytest.mark.parametrize(
    ("clock", "all_counted", "limit_ms"), [("fair", True, 10_500), ("fair", False, 1_500), ("cpu", True, 1_500)]
)
def test_however_little_is_charged_the_wall_has_an_end(clock: Clock, all_counted: bool, limit_ms: int) -> None:
    assert hard_limit_ns(clock, 50_000_000, all_counted=all_counted) == limit_ms * 1_000_000


def test_without_kernel_figures_wall_time_is_charged_with_a_note(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [adder(place, "one", 1)]
    assert make_plan("count_up", agents).clock == "fair"
    monkeypatch.setattr(planning, "kernel_reports_waits", lambda: False)
    poor = make_plan("count_up", agents)
    assert (poor.clock, len(poor.notes)) == ("wall", 1)
    assert make_plan("count_up", agents, GameSettings(clock="wall")).notes == ()
