"""docs/new-game.md: the game on the page passes its tests and plays; its commands run in the order of the page."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nullgame.command import arbiter
from tests.nullgame.place import write
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
PARTS = re.compile(
    r"^`([\w/]+\.\w+)`.*?^```\w+\n(.*?)^```$|^    ((?:arbiter|rm|pytest)[^\n]*)$", re.MULTILINE | re.DOTALL
)
"""A file with its text, or a command."""


def run(command: str, folder: Path) -> None:
    words = shlex.split(command)
    if words[0] == "arbiter":
        ran = arbiter(*words[1:], folder=folder)
        assert ran.code == 0, f"{command}: {ran.err}{ran.out}"
    elif words[0] == "pytest":
        tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        done = subprocess.run(tests, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        assert " passed" in done.stdout
    else:
        for name in words[1:]:
            (folder / name).unlink()


def test_the_game_of_the_page_is_built_tested_and_played(tmp_path: Path) -> None:
    folder, commands, files = tmp_path, 0, 0
    for path, text, command in PARTS.findall(PAGE):
        if path:
            write(folder / path, text)
            files += 1
        else:
            run(command, folder)
            commands += 1
            folder = tmp_path / "race"
    assert (commands, files) == (8, 5)
    games = list((folder / "matches" / "games").rglob("*.jsonl"))
    assert len(games) >= 5
    run(shlex.join(["arbiter", "verify", *map(str, games)]), folder)
