"""``arbiter bench``: what this machine makes of games. How fast it is, is no business of a test."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import LEVELS
from arbiter.bench.capacity import Capacity, Load, conclude, counts
from arbiter.bench.clocks import Clocks, Sharing, complain
from arbiter.bench.machine import Machine, advise, worth_having
from arbiter.cli.bench import show
from tests.nullgame.command import Ran, arbiter


@cache
def glance() -> Ran:
    """Once for all tests: it takes a few seconds."""
    return arbiter("bench", "--quick", "--json")


@pytest.fixture
def document() -> Any:
    assert (glance().code, glance().err) == (0, "")
    return glance().document


def test_it_says_which_machine_was_measured(document: Any) -> None:
    assert document["cores"] == max(1, len(cores.usable()))
    assert all(document[name] for name in ("arbiter", "python", "system"))
    assert document["busy"] >= 0
    assert 0 <= document["stolen"] < 1


def test_a_turn_costs_more_than_a_bare_round_trip_and_less_than_a_spawn(document: Any) -> None:
    turns = document["turns"]
    assert 0 < turns["bare_us"] < turns["bare_spawn_us"]
    assert 0 < turns["turn_us"] < turns["spawn_us"]
    assert turns["added_us"] == pytest.approx(turns["turn_us"] - turns["bare_us"])
    assert turns["sandbox"] in LEVELS
    assert (turns["contained_spawn_us"] is None) == (turns["sandbox"] == "none")


def test_clocks_are_looked_at_also_when_games_share_a_core(document: Any) -> None:
    clocks = document["clocks"]
    assert clocks["step_ns"] > 0
    assert 0 < clocks["spin_cpu_ms"] <= clocks["spin_wall_ms"] * 1.1
    sharing = clocks["sharing"]
    assert (sharing["games"], sharing["moves"]) == (4, 12)
    assert 0 <= sharing["late_by_charge"] <= sharing["late_by_wall"] <= 12
    assert sharing["used_ms"] <= sharing["largest_charge_ms"] <= sharing["largest_wall_ms"]
    assert document["sane"] == (not clocks["complaints"])


def test_more_and_more_workers_are_tried(document: Any) -> None:
    capacity = document["capacity"]
    assert [load["workers"] for load in capacity["loads"]] == counts(document["cores"])
    assert all(load["moves_per_s"] > 0 for load in capacity["loads"])
    assert all(5 <= load["usual_ms"] <= load["longest_ms"] for load in capacity["loads"])
    assert 1 <= document["workers"] <= capacity["enough"]
    assert document["advice"].startswith(f"run contests here with --workers {document['workers']}; ")


def test_people_get_tables_and_a_line_of_advice(document: Any, capsys: pytest.CaptureFixture[str]) -> None:
    show(msgspec.convert(document, Machine))
    out = capsys.readouterr().out
    for words in ("a line to an agent and its line back", "4 games on one core, 20 of 50 ms a move", "times one"):
        assert f"\n{words}  " in out or f"  {words}  " in out
    assert out.splitlines()[-1] == document["advice"]


def test_numbers_of_workers_double_up_to_the_cores_and_end_at_twice_as_many() -> None:
    assert counts(1) == [1, 2]
    assert counts(2) == [1, 2, 4]
    assert counts(6) == [1, 2, 4, 6, 12]
    assert counts(8) == [1, 2, 4, 8, 16]


def loads(*figures: tuple[int, float, float]) -> Capacity:
    return conclude(
        [Load(workers=count, moves_per_s=rate, usual_ms=usual, longest_ms=usual) for count, rate, usual in figures]
    )


def test_workers_are_worth_having_while_they_get_more_done() -> None:
    borne = loads((1, 100, 5), (2, 198, 5), (4, 203, 10))
    assert (borne.enough, borne.suffering, worth_having(borne)) == (2, 4, 2)
    borne = loads((1, 100, 5), (2, 102, 5.1), (4, 101, 5.2))
    assert (borne.enough, borne.suffering, worth_having(borne)) == (1, None, 1)


def test_workers_are_not_worth_having_where_agents_have_to_wait_for_each_other() -> None:
    borne = loads((1, 100, 5), (2, 198, 5), (4, 300, 7))
    assert (borne.enough, borne.suffering, worth_having(borne)) == (4, 4, 2)


SHARING = Sharing(
    games=4, moves=48, used_ms=20, limit_ms=50, late_by_wall=48, late_by_charge=0, largest_wall_ms=90, largest_charge_ms=21
)  # fmt: skip


def clocks(complaints: list[str]) -> Clocks:
    return Clocks(
        step_ns=50, wait_late_us=100, spin_wall_ms=20, spin_cpu_ms=20, kernel_tells=True, sharing=SHARING, complaints=complaints
    )  # fmt: skip


def test_sane_clocks_are_called_that() -> None:
    assert complain(step_ns=50, late_us=130, spun=1.0, told=True, late=0) == []
    assert advise(2, clocks([]), busy=False) == "run contests here with --workers 2; its clocks are sane"
    assert advise(2, clocks([]), busy=True).endswith(
        "; it was busy with something else, so measure again when it is not"
    )


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"step_ns": 4_000_000}, "the clock goes in steps of 4.0 ms"),
        ({"late_us": 15_600}, "waits end 16 ms late"),
        ({"spun": 1.2}, "the CPU clock runs ahead"),
        ({"told": False}, "this kernel does not tell"),
        ({"late": 3}, "3 moves of agents that kept to their time were ruled late"),
    ],
)
def test_what_is_wrong_with_a_clock_is_said(wrong: dict[str, Any], words: str) -> None:
    good: dict[str, Any] = {"step_ns": 50, "late_us": 130, "spun": 1.0, "told": True, "late": 0}
    (complaint,) = complain(**(good | wrong))
    assert complaint.startswith(words)
    assert (
        advise(1, clocks([complaint]), busy=False)
        == f"run contests here with --workers 1; mind its clocks: {complaint}"
    )
