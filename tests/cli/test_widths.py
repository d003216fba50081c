"""What commands print at a terminal of 80 columns fits into it, with four agents and the longest names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arbiter.game import columns
from tests.cli.terminal import at_a_terminal
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, arbiter_toml, write

NAMES = ("a" * 40, "長い名前の代理人" * 2, "b-" * 20, "Ω")
PATHS = re.compile(r"^(saved|look|faults) |\.jsonl'?( |$)")
"""Lines with a path or a command to copy, which are never broken."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game, and a contest, of four agents; one of them makes a fault in every move."""
    folder = tmp_path_factory.mktemp("wide")
    arbiter_toml(folder)
    return folder


def agents(folder: Path) -> list[str]:
    wrong = write(folder / "wrong.sh", "read -r seat\nread -r prize\nprintf 'debug\\r\\nzehn\\r\\n'\n")
    bots = [adder(folder, f"bot{number}", number) for number in (1, 2, 3)]
    return [f"{name}={bot}" for name, bot in zip(NAMES, [*bots, str(wrong)], strict=True)]


def too_wide(lines: list[str]) -> list[str]:
    return [line for line in lines if columns(line) > 80 and not PATHS.search(line)]


def test_play_games_and_show(played: Path) -> None:
    shown = at_a_terminal(80, "play", "count_up", *agents(played), "--seed", "1", folder=played)
    assert sum("carriage return" in line for line in shown) == 1, "the cause is named with the fault, and not again"
    assert too_wide(shown) == []
    listed = at_a_terminal(80, "games", folder=played)
    assert too_wide(listed) == []
    (record,) = (played / "matches" / "games").glob("*.jsonl")
    for how in ("--all", "--faults"):
        assert too_wide(at_a_terminal(80, "show", str(record), how, folder=played)) == []


def test_a_contest_and_its_standings(played: Path) -> None:
    words = ["tournament", "count_up", *agents(played), "--games", "2", "--name", "cup", "--workers", "1"]
    at_a_terminal(80, *words, folder=played)
    shown = at_a_terminal(80, "standings", "matches/games/cup", folder=played)
    assert any(line.startswith("place") and "Elo" in line for line in shown)
    assert too_wide(shown) == []
    assert too_wide(at_a_terminal(80, "games", "matches/games/cup", folder=played)) == []


def test_without_a_terminal_a_game_stays_on_one_line(played: Path) -> None:
    at_a_terminal(80, "play", "count_up", *agents(played), "--seed", "1", folder=played)
    lines = arbiter("games", "-n", "1", folder=played).out.splitlines()
    assert all(name in lines[2] for name in ("a" * 23, "Ω", ".jsonl"))
