"""``arbiter new game``: what it writes plays, passes its tests, has starters, and can be shown."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.new_game import game_files
from tests.nullgame.command import arbiter
from tests.nullgame.place import write

pytestmark = pytest.mark.slow


def make(folder: Path, name: str = "four_stones") -> Path:
    ran = arbiter("new", "game", name, folder=folder)
    assert (ran.code, ran.err) == (0, ""), ran.err
    assert ran.out.startswith(f"{name}: a game called {name}\n")
    return folder / name


def test_the_game_plays_at_once_and_is_shown_and_verified(tmp_path: Path) -> None:
    folder = make(tmp_path)
    played = arbiter(
        "play", "four_stones", "random", "random", "--seed", "1", "--fail-on-fault", "--json", folder=folder
    )
    assert played.code == 0, played.err
    record = played.document["games"][0]["record"]
    assert arbiter("verify", record, folder=folder).code == 0
    page = folder / "page.html"
    assert arbiter("export", record, page, folder=folder).code == 0
    assert "Take Away" not in (shown := page.read_text(encoding="utf-8"))
    assert ".stone {" in shown


def test_its_tests_pass_with_the_command_that_is_shown(tmp_path: Path) -> None:
    shown = shlex.split(arbiter("new", "game", "four_stones", folder=tmp_path).out.splitlines()[-1])
    assert shown == [sys.executable, "-m", "pytest"]
    done = subprocess.run(
        [*shown, "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path / "four_stones", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b2\d passed", done.stdout), done.stdout


def test_a_starter_for_it_plays(tmp_path: Path) -> None:
    folder = make(tmp_path)
    assert arbiter("new", "four_stones", "python", "mybot", folder=folder).code == 0
    played = arbiter("play", "four_stones", "./mybot", "random", "--fail-on-fault", "-q", folder=folder)
    assert played.code == 0, played.err


def test_every_name_of_the_template_is_replaced() -> None:
    for path, text in game_files("my_game").items():
        assert not re.search("take ?away", path + text, re.IGNORECASE), path
    assert "class MyGameProtocol(Protocol):" in game_files("my_game")["my_game/game.py"]
    assert 'title = "My game"' in game_files("my_game")["my_game/game.py"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("Four Stones", "the name 'Four Stones' must be lower-case letters, digits and single underscores; write four_stones"),
        ("../x", "the name '../x' must be lower-case letters, digits and single underscores; write x"),
        ("2048", "the name '2048' must start with a letter"),
        ("1game", "the name '1game' must start with a letter; write game"),
        ("splendor", "there is already a protocol 'splendor'; choose another name"),
        ("random", "'random' has a meaning in Python or in the folder of a game; choose another name"),
        ("tests", "'tests' has a meaning in Python or in the folder of a game; choose another name"),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_is_one_line(tmp_path: Path, name: str, error: str) -> None:
    ran = arbiter("new", "game", name, folder=tmp_path)
    assert (ran.code, ran.out, ran.err) == (2, "", f"arbiter: {error}\n")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "mine" / "notes.txt", "mine")
    ran = arbiter("new", "game", "four_stones", "mine", folder=tmp_path)
    assert (ran.code, ran.err) == (2, "arbiter: the directory 'mine' is not empty; name a new one\n")
