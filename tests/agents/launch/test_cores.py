"""Pinning: a worker and its agents share a core, and agents get spare cores where there are any."""

from __future__ import annotations

import contextlib
import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.ask.request import Request, Seat
from arbiter.agents.ask.table import Table
from arbiter.agents.launch import cores
from arbiter.agents.launch.cores import Cores
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.bench import programs
from arbiter.config.limits import Source, resolve_limits
from arbiter.game import Lifetime


def test_an_agent_stays_with_the_arbiter() -> None:
    assert Cores(3, (4, 5)).deal([1, 1], at_once=False) == [None, None]


def test_an_agent_with_threads_gets_spare_cores_as_far_as_there_are_any() -> None:
    assert Cores(3, (4, 5)).deal([2, 1], at_once=False) == [frozenset({3, 4}), None]
    assert Cores(3, (4,)).deal([8], at_once=False) == [frozenset({3, 4})]
    assert Cores(3).deal([8], at_once=False) == [None]


def test_agents_asked_at_the_same_time_run_apart_if_there_is_a_core_for_each() -> None:
    assert Cores(0, (1, 2)).deal([1, 1, 1], at_once=True) == [None, frozenset({1}), frozenset({2})]
    assert Cores(0, (1,)).deal([1, 1, 1], at_once=True) == [None, None, None]


def test_where_processes_cannot_be_pinned_none_is() -> None:
    assert Cores(None).deal([4, 1], at_once=True) == [None, None]


@given(st.integers(1, 16), st.integers(1, 40))
def test_workers_share_all_cores_and_the_spare_ones_without_overlap(count: int, workers: int) -> None:
    moved: list[set[int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: set(range(10, 10 + count)))
        patch.setattr(os, "sched_setaffinity", lambda _, to: moved.append(set(to)))
        dealt = []
        for worker in range(workers):
            with cores.pinned(worker, workers) as on:
                dealt.append(on)
    assert {on.own for on in dealt} == set(range(10, 10 + min(count, workers)))
    spare = [core for on in dealt for core in on.spare]
    assert len(spare) == len(set(spare)) == max(0, count - workers)
    assert not set(spare) & {on.own for on in dealt}
    assert moved[-1] == set(range(10, 10 + count))


@pytest.mark.parametrize("workers", [None, 1, 2, 3])
def test_games_and_what_is_left_over_share_no_core(workers: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "usable", lambda: [0, 2, 5])
    monkeypatch.setattr(os, "sched_setaffinity", lambda *_: None)
    played_on = set()
    for worker in [None] if workers is None else range(workers):
        with cores.pinned(worker, workers or 1) as found:
            played_on.add(found.own)
    assert {*(cores.idle_cores(workers) or ()), *played_on} == {0, 2, 5}
    assert played_on.isdisjoint(cores.idle_cores(workers) or ())
    assert cores.idle_cores(3) is None


def test_a_pinned_process_runs_on_one_core_and_gets_its_others_back() -> None:
    before = os.sched_getaffinity(0)
    with cores.pinned() as on:
        assert os.sched_getaffinity(0) == {on.own}
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("level", ["none", "auto"])
@pytest.mark.parametrize("lifetime", ["move", "game"])
def test_an_agent_runs_on_its_cores_from_its_start(level: str, lifetime: Lifetime) -> None:
    """Also when its place is given to another agent later, that shares its sandbox."""
    everywhere = frozenset(cores.usable())
    tell = "import os; print(*sorted(os.sched_getaffinity(0)), flush=True); input()\n"
    command = (sys.executable, "-S", "-I", "-c", tell)
    limits = resolve_limits([Source("test", {"move": "60s", "first_move": "60s"})])[0]
    with contextlib.ExitStack() as staying:
        home = programs.bench_sandbox(command, choose_sandbox(level).level, limits)
        if home:
            staying.enter_context(home)
        on = staying.enter_context(cores.pinned())
        assert on.own is not None
        for wanted in (everywhere, None, frozenset({min(everywhere)})):
            seat = Seat(programs.launch_for(command, home), limits, lifetime, home, wanted)
            with Table([seat]) as table:
                (answer,) = table.ask([Request(0, "go\n", lambda _: "")])
            assert answer.fault is None
            assert {int(word) for word in answer.text.split()} == (wanted or {on.own})
        assert os.sched_getaffinity(0) == {on.own}
