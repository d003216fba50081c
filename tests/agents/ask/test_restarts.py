"""Restarts, forgiven exits, the edge of a time limit, and what is kept of a late answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.agents.ask.table import RESTARTS
from arbiter.api import play
from arbiter.game import Lifetime
from arbiter.records.format import AnswerLine
from arbiter.records.reader import load_record

from .harness import AGENTS, leaving_nothing, workspace

pytestmark = pytest.mark.slow


def answers(
    folder: Path,
    agent: str,
    lifetime: Lifetime,
    *,
    rounds: int = 3,
    limits: dict[str, str | int] | None = None,
    environment: dict[str, str] | None = None,
    **options: bool,
) -> list[AnswerLine]:
    """The agent's answers in a game against one that behaves."""
    with leaving_nothing():
        report = play(
            "splendor",
            ["guest", "host"],
            seed=5,
            options={"max_rounds": rounds, **options},
            lifetime=lifetime,
            save=folder / "games",
            workspace=workspace(folder, AGENTS / agent, limits or {}, environment),
        )
    return [line for line in load_record(Path(report.games[0].record)).answers if line.seat == 0]


def kinds(lines: list[AnswerLine]) -> list[str]:
    return [line.fault.kind if line.fault else "played" for line in lines]


def test_a_long_lived_agent_that_crashes_every_move_gets_three_fresh_processes_and_is_then_spent(
    tmp_path: Path,
) -> None:
    lines = answers(tmp_path, "aborts.c", "game", rounds=8)
    asked = 1 + RESTARTS
    assert kinds(lines) == ["crashed"] * asked + ["spent"] * (8 - asked)
    assert [line.started for line in lines] == [True] * asked + [False] * (8 - asked)
    assert {line.wall_us for line in lines if line.fault and line.fault.kind == "spent"} == {0}


def test_fresh_processes_are_counted_over_the_game_and_not_in_a_row(tmp_path: Path) -> None:
    lines = answers(tmp_path, "dies.c", "game", rounds=10)
    assert kinds(lines) == ["played", "crashed"] * (1 + RESTARTS) + ["spent"] * 2


def test_an_agent_spawned_for_each_move_is_never_spent(tmp_path: Path) -> None:
    lines = answers(tmp_path, "aborts.c", "move", rounds=8)
    assert kinds(lines) == ["crashed"] * 8
    assert not any(line.started for line in lines)


def test_refused_moves_cost_no_process(tmp_path: Path) -> None:
    lines = answers(tmp_path, "illegal.py", "game", rounds=8)
    assert kinds(lines) == ["illegal"] * 8
    assert [line.started for line in lines] == [True] + [False] * 7


@pytest.mark.parametrize("lifetime", ["move", "game"])
def test_the_agent_that_is_late_by_a_little_is_in_time_with_a_longer_limit(lifetime: Lifetime, tmp_path: Path) -> None:
    lines = answers(tmp_path, "late.pl", lifetime, limits={"move": "60s"}, environment={"LATE_MS": "20"})
    assert kinds(lines) == ["played"] * 3
    assert all(line.wall_us >= 20_000 for line in lines)


def test_a_crash_after_a_good_move_is_forgiven_where_the_game_is_not_strict(tmp_path: Path) -> None:
    lines = answers(tmp_path, "dies.c", "move", strict_exit=False)
    assert [(line.move, line.fault) for line in lines] == [("1 0", None)] * 3


@pytest.mark.parametrize(
    ("agent", "lifetime", "said"), [("no_newline.sh", "game", "1 0"), ("never_reads.c", "move", "1 0\n")]
)
def test_what_came_in_time_of_a_late_answer_is_kept(agent: str, lifetime: Lifetime, said: str, tmp_path: Path) -> None:
    (line,) = answers(tmp_path, agent, lifetime, rounds=1, limits={"move": "2s", "first_move": "2s"})
    assert line.fault is not None
    assert (line.fault.kind, line.fault.said) == ("late", said)
