"""The tutorial: its commands run in their order, with its edits made in between, and each idea is an improvement."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from arbiter.config.workspace import Workspace
from arbiter.game import Game
from arbiter.registry import find_protocol
from arbiter.testing import playthrough
from tests.docs.commands import commands
from tests.docs.session import Session, prepare
from tests.docs.test_commands import run, shortened
from tests.starters.making import files
from tests.starters.test_every_position import last_answer
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "first-bot.md").read_text(encoding="utf-8")
PARTS = dict(re.findall(r"^## (.*?)$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
SHORTER = Session(
    replaced={"--games 20": "--games 2", "--games 2 ": "--games 1 ", "--positions 5": "--positions 1", "--time-factor 5": "--time-factor 20"}
)  # fmt: skip


def idea(title: str) -> str:
    (found,) = re.findall(r"^```python\n(.*?)^```$", PARTS[title], re.MULTILINE | re.DOTALL)
    return str(found)


def edited(source: str, choose: str) -> str:
    """Replace the function ``choose``."""
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


def loaded(source: str, name: str) -> ModuleType:
    module = ModuleType(name)
    sys.modules[name] = module  # dataclasses look their module up
    exec(compile(source, name, "exec"), module.__dict__)
    return module


@pytest.mark.parametrize(
    ("title", "seats", "options"), [("Splendor", 2, {}), ("Rails", 2, {"turns": 40}), ("Heroes", 4, {"rounds": 40})]
)
def test_the_idea_beats_the_first_version(title: str, seats: int, options: dict[str, object]) -> None:
    source, name = files(title.lower(), "python")["agent.py"], title.lower()
    new, old = loaded(edited(source, idea(title)), f"new_{name}"), loaded(source, f"old_{name}")
    for seed in (0, 1):

        def answer(game: Game, seat: int, _: random.Random, own: int = seed) -> str:
            chosen = last_answer(new if seat == own else old, game.briefing(seat) + game.prompt(seat))
            game.read(seat, chosen)  # raises IllegalMove
            return chosen

        played = playthrough(find_protocol(name, Workspace()), answer, seats=seats, seed=seed // 2, options=options)
        assert played.result is not None
        assert [rank for seat, rank in enumerate(played.result.ranks) if seat == seed] == [1], played.result
