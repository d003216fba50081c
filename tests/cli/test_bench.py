"""``arbiter doctor --bench``: what it reports about this machine. How fast the machine is must not matter to a test."""

from __future__ import annotations

import signal
from functools import cache
from typing import Any

import msgspec
import pytest

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import LEVELS
from arbiter.bench.capacity import Capacity, Load, find_capacity, worker_counts
from arbiter.bench.clocks import Clocks, Sharing, problems
from arbiter.bench.concurrent_games import _Worker
from arbiter.bench.machine import MachineReport, advise, recommended_workers
from arbiter.bench.programs import burner
from arbiter.bench.worker import Task, WorkerResult
from arbiter.cli.bench_tables import _added, print_report
from tests.nullgame.command import Ran, arbiter

pytestmark = pytest.mark.slow


@cache
def quick_run() -> Ran:
    """Run once for all tests, since it takes a few seconds."""
    return arbiter("doctor", "--bench", "quick", "--json")


@pytest.fixture
def document() -> Any:
    assert (quick_run().code, quick_run().err) == (0, "")
    return quick_run().document


def test_it_says_which_machine_was_measured(document: Any) -> None:
    assert document["cores"] == max(1, len(cores.usable()))
    assert all(document[name] for name in ("arbiter", "python", "system"))
    assert 0 < document["available_bytes"] < document["memory_bytes"]
    assert document["busy"] >= 0
    assert 0 <= document["stolen"] < 1


def test_a_turn_costs_more_than_a_bare_round_trip_and_less_than_a_spawn(document: Any) -> None:
    turns = document["turns"]
    assert 0 < turns["bare_us"] < turns["bare_spawn_us"]
    assert 0 < turns["turn_us"] < turns["spawn_us"]
    assert turns["added_us"] == pytest.approx(turns["turn_us"] - turns["bare_us"])
    assert turns["sandbox"] in LEVELS
    assert (turns["contained_spawn_us"] is None) == (turns["sandbox"] == "none")


def test_clocks_are_also_measured_when_games_share_a_core(document: Any) -> None:
    clocks = document["clocks"]
    assert clocks["step_ns"] > 0
    assert 0 < clocks["spin_cpu_ms"] <= clocks["spin_wall_ms"] * 1.1
    sharing = clocks["sharing"]
    assert (sharing["games"], sharing["moves"]) == (4, 12)
    assert 0 <= sharing["late_by_charge"] <= sharing["late_by_wall"] <= 12
    assert sharing["used_ms"] <= sharing["largest_charge_ms"] <= sharing["largest_wall_ms"]
    assert document["sane"] == (not clocks["complaints"])


def test_several_numbers_of_workers_are_tried(document: Any) -> None:
    capacity = document["capacity"]
    assert [load["workers"] for load in capacity["loads"]] == worker_counts(document["cores"])
    assert all(load["moves_per_s"] > 0 for load in capacity["loads"])
    assert all(5 <= load["usual_ms"] <= load["longest_ms"] for load in capacity["loads"])
    assert 1 <= document["workers"] <= capacity["enough"]
    assert document["advice"].startswith(f"run contests here with --workers {document['workers']}; ")


def test_the_report_for_people_fits_a_terminal_and_ends_with_the_advice(
    document: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    print_report(msgspec.convert(document, MachineReport))
    out = capsys.readouterr().out
    for words in ("bare round trip: a line to an agent and one back", "4 games on one core", "speed-up"):
        assert f"  {words}  " in out
    assert "20 of 50 ms used per move\n" in out
    *tables, advice = out.splitlines()
    assert advice == document["advice"]
    assert max(map(len, tables[: tables.index("workers, with agents that use 5 ms of CPU time per move")])) <= 80


def test_numbers_of_workers_double_up_to_the_cores_and_end_at_twice_as_many() -> None:
    assert worker_counts(1) == [1, 2]
    assert worker_counts(2) == [1, 2, 4]
    assert worker_counts(6) == [1, 2, 4, 6, 12]
    assert worker_counts(8) == [1, 2, 4, 8, 16]


def loads(*figures: tuple[int, float, float]) -> Capacity:
    return find_capacity(
        [Load(workers=count, moves_per_s=rate, usual_ms=usual, longest_ms=usual) for count, rate, usual in figures]
    )


def test_more_workers_are_recommended_while_they_raise_the_throughput() -> None:
    found = loads((1, 100, 5), (2, 198, 5), (4, 203, 10))
    assert (found.enough, found.suffering, recommended_workers(found)) == (2, 4, 2)
    found = loads((1, 100, 5), (2, 102, 5.1), (4, 101, 5.2))
    assert (found.enough, found.suffering, recommended_workers(found)) == (1, None, 1)


def test_workers_that_slow_down_moves_are_not_recommended() -> None:
    found = loads((1, 100, 5), (2, 198, 5), (4, 300, 7))
    assert (found.enough, found.suffering, recommended_workers(found)) == (4, 4, 2)


SHARING = Sharing(
    games=4, moves=48, used_ms=20, limit_ms=50, late_by_wall=48, late_by_charge=0, largest_wall_ms=90, largest_charge_ms=21
)  # fmt: skip


def clocks(complaints: list[str]) -> Clocks:
    return Clocks(
        step_ns=50, wait_late_us=100, spin_wall_ms=20, spin_cpu_ms=20, kernel_tells=True, sharing=SHARING, complaints=complaints
    )  # fmt: skip


def test_a_difference_has_one_sign() -> None:
    assert [_added(value) for value in (210.0, -210.0, -1500.0)] == ["+210.0 µs", "−210.0 µs", "−1.50 ms"]


def test_good_clocks_can_be_trusted() -> None:
    assert problems(step_ns=50, late_us=130, cpu_share=1.0, wait_known=True, late=0) == []
    assert advise(2, clocks([]), busy=False) == "run contests here with --workers 2; the clocks can be trusted"
    assert advise(2, clocks([]), busy=True).endswith(
        "; the machine was busy with other work, so measure again when it is idle"
    )


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"step_ns": 4_000_000}, "the clock resolution is only 4.0 ms"),
        ({"late_us": 15_600}, "timers fire 16 ms late"),
        ({"cpu_share": 1.2}, "the CPU clock runs faster"),
        ({"wait_known": False}, "this kernel does not report run-queue wait"),
        ({"late": 3}, "3 moves of agents that were within their limit were ruled late"),
    ],
)
def test_a_problem_with_a_clock_is_reported(wrong: dict[str, Any], words: str) -> None:
    good: dict[str, Any] = {"step_ns": 50, "late_us": 130, "cpu_share": 1.0, "wait_known": True, "late": 0}
    (problem,) = problems(**(good | wrong))
    assert problem.startswith(words)
    assert (
        advise(1, clocks([problem]), busy=False)
        == f"run contests here with --workers 1; do not trust the clocks: {problem}"
    )


def test_ctrl_c_is_left_to_the_parent_of_the_workers() -> None:
    """A terminal interrupts workers as well, and each of them would print a traceback."""
    task = Task(command=burner(), burn_us=1, limit_us=1_000_000, level="none", moves=1)
    with _Worker(task, 0, 1) as worker:
        worker.receive()
        worker._process.send_signal(signal.SIGINT)
        worker.send(b"go\n")
        assert len(msgspec.json.decode(worker.receive(), type=WorkerResult).moves) == 1
