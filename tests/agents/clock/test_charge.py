"""What an answer costs: pure arithmetic, and one reading of the kernel's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter import planning
from arbiter.agents.clock.charge import CLOCKS, Clock, charge, hard_limit_ns
from arbiter.game_settings import GameSettings
from arbiter.planning import make_plan
from tests.nullgame.place import adder

TIMES = st.integers(0, 10**12)


@given(st.sampled_from(CLOCKS), TIMES, TIMES, TIMES)
def test_nobody_is_charged_more_than_the_wall_says(clock: Clock, wall_ns: int, cpu_ns: int, waited_ns: int) -> None:
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


def test_however_little_is_charged_the_wall_has_an_end() -> None:
    assert hard_limit_ns(50_000_000) == 1_500_000_000


def test_where_the_kernel_does_not_tell_wall_time_counts_and_that_is_said(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = [adder(place, "one", 1)]
    assert make_plan("count_up", agents).clock == "fair"
    monkeypatch.setattr(planning, "kernel_tells", lambda: False)
    poor = make_plan("count_up", agents)
    assert (poor.clock, len(poor.notes)) == ("wall", 1)
    assert make_plan("count_up", agents, GameSettings(clock="wall")).notes == ()
