"""The tutorial: its commands run in their order, with its edits made in between, and each idea is an improvement."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from arbiter import play
from tests.docs.commands import commands
from tests.docs.session import Session, prepare
from tests.docs.test_commands import run, shortened
from tests.starters.making import make
from tests.starters.test_games import SLOW_MACHINE
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "first-bot.md").read_text(encoding="utf-8")
PARTS = dict(re.findall(r"^## (.*?)$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
SHORTER = Session(
    replaced={"--games 20": "--games 2", "--games 40": "--games 4", "--games 2 ": "--games 1 ", "--positions 5": "--positions 1", "--time-factor 5": "--time-factor 20"}
)  # fmt: skip


def idea(title: str) -> str:
    found = re.findall(r"^```python\n(.*?)^```$", PARTS[title], re.MULTILINE | re.DOTALL)
    return "\n\n".join(found)


def edited(source: str, choose: str) -> str:
    """Replace the function ``choose``; or put another function before it, and use that in one of its lines."""
    if not choose.startswith("def choose("):
        function, line = choose.split("\n\n            ")
        variable = line.split("=")[0]
        source, changed = re.subn(
            rf"^            {variable}= abs\(.*", f"            {line.rstrip()}", source, flags=re.MULTILINE
        )
        assert changed == 1
        return source.replace("def choose(", f"{function}\n\ndef choose(")
    return re.sub(r"^def choose\(.*?(?=^\S)", lambda _: f"{choose}\n\n", source, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("title", PARTS)
def test_the_commands_run_in_their_order_with_the_edit_in_between(title: str, tmp_path: Path) -> None:
    folder = prepare("docs/first-bot.md", SHORTER, tmp_path)
    if title == "What next":
        run("arbiter play splendor greedy random --games 2", folder)
    for command in commands(PARTS[title]):
        ran = run(shortened(command, SHORTER), folder)
        assert ran.code == 0, f"{command}\n{ran.err}{ran.out}"
        if command.startswith("cp -r "):
            program = folder / command.split()[2] / "agent.py"
            program.write_text(edited(program.read_text(encoding="utf-8"), idea(title)), encoding="utf-8")


@pytest.mark.parametrize(
    ("title", "others", "games"), [("Splendor", [], 6), ("Rails", [], 8), ("Heroes", ["random", "steady"], 12)]
)
def test_the_idea_beats_the_first_version(title: str, others: list[str], games: int, tmp_path: Path) -> None:
    old, new = make(title.lower(), "python", tmp_path), tmp_path / "new"
    shutil.copytree(old, new)
    program = new / "agent.py"
    program.write_text(edited(program.read_text(encoding="utf-8"), idea(title)), encoding="utf-8")
    report = play(
        title.lower(), [f"new={new}", f"old={old}", *others],
        games=games, seed=1, lifetime="game", time_factor=SLOW_MACHINE, save=tmp_path / "games",
    )  # fmt: skip
    assert all(not game.faults for game in report.games)
    assert report.totals["new"].wins > 1.5 * report.totals["old"].wins, report.totals
