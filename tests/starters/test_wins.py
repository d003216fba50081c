"""Starters win: clearly against agents that play at random, and in GameOfDrones against the simple samples as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter import play
from tests.starters.making import make
from tests.starters.test_games import SLOW_MACHINE

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("game", "opponents", "games"),
    [
        ("splendor", ["random"], 6),
        ("green_circle", ["random"], 12),
        ("rails", ["random"], 8),
        ("heroes", ["random", "random", "random"], 8),
        ("drones", ["random"], 8),
        ("drones", ["turtle"], 8),
        ("drones", ["rusher"], 8),
    ],
)
def test_a_starter_wins_three_games_in_four(game: str, opponents: list[str], games: int, tmp_path: Path) -> None:
    starter = make(game, "python", tmp_path)
    report = play(
        game,
        [f"starter={starter}", *opponents],
        games=games,
        seed=5,
        lifetime="game",  # a process for each move would take most of the time
        time_factor=SLOW_MACHINE,
        save=tmp_path / "games",
    )
    total = report.totals["starter"]
    assert total.faults == 0
    assert total.wins >= 3 * games / 4, report.totals
