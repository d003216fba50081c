"""The page about referees is correct: its commands, its match file and its options."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from arbiter import registry
from arbiter.contest.match_file import load_contest
from arbiter.contest.runner import run_contest
from arbiter.playing.outside_referee.settings import PROTOCOL
from tests.nullgame.command import arbiter
from tests.nullgame.place import write
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "referees.md").read_text(encoding="utf-8")
(SNIPPET,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
(AGENT,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def prepare(place: Path) -> None:
    """Write the files of the page."""
    shutil.copy(ROOT / "examples" / "referees" / "nim.py", place)
    best = "sticks % 4 or 1"
    assert best in AGENT
    for name, taken in (("one", "1"), ("best", best), ("three", "min(3, sticks)")):
        write(place / f"{name}.py", AGENT.replace(best, taken))


def test_the_commands_on_the_page_work(place: Path) -> None:
    prepare(place)
    commands = [line.strip() for line in PAGE.splitlines() if line.startswith("    arbiter ")]
    assert len(commands) == 6
    for command in commands:
        ran = arbiter(*shlex.split(command)[1:], folder=place)
        assert ran.code == 0, f"{command}: {ran.err}"


def test_the_match_file_on_the_page_works(place: Path) -> None:
    prepare(place)
    result = run_contest(load_contest(write(place / "cup.yaml", SNIPPET)))
    assert (result.complete, result.progress.not_played) == (True, {})


def test_every_option_is_on_the_page_with_its_default() -> None:
    protocol = registry.load_protocol(PROTOCOL, None)
    assert protocol
    for option in protocol.options:
        if option.name not in ("command", "folder"):  # which --referee sets
            (row,) = re.findall(rf"^\| `{option.name}` \|.*\| *(.*?) *\|$", PAGE, re.MULTILINE)
            assert row == option.default
