"""The page about tuning is correct: its file, its keys and its commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from arbiter.author.tune_file import KEYS, Tuning, load_tuning
from tests.nullgame.command import arbiter
from tests.nullgame.place import ADDS, adder, write
from tests.tools import ROOT

PAGE = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
(SNIPPET,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_file_on_the_page_is_valid(tmp_path: Path) -> None:
    tuning = load_tuning(write(tmp_path / "mybot.yaml", SNIPPET))
    assert list(tuning.template.parameters) == ["depth", "weight", "style"]
    assert tuning.field == ("boss1", "boss2")


def test_every_key_is_on_the_page_with_its_default() -> None:
    rows = [line.split("|")[1:4] for line in PAGE.splitlines() if line.startswith("| `")]
    keys = {name: default.strip() for names, _, default in rows for name in re.findall(r"`(\w+)`", names)}
    assert keys.keys() == KEYS.keys()
    for name in ("candidates", "generations", "divisor", "confirm"):
        assert keys[name].split(",")[0] == str(Tuning.__dataclass_fields__[name].default)


def test_the_commands_on_the_page_work(place: Path) -> None:
    """Run them in the order of the page, with an agent for a game that takes milliseconds."""
    write(place / "bot.sh", ADDS.format("$1"))
    adder(place, "boss1", 1)
    parameters = (
        "depth: {type: int, low: 1, high: 5, default: 1}\n  weight: {type: float, low: 0.1, high: 1, default: 1}"
    )
    text = f"protocol: count_up\nagent: sh bot.sh {{depth}} {{weight}}\nparameters:\n  {parameters}\n"
    write(place / "mybot.yaml", f"{text}candidates: 3\nconfirm: 4\noptions: {{turns: 4}}\n")
    commands = [line.strip() for line in PAGE.splitlines() if line.startswith("    arbiter ")]
    assert len(commands) == 5
    for command in commands:
        words = shlex.split(command.replace(" rails ", " count_up ").replace(" boss1", " ./boss1.sh"))[1:]
        ran = arbiter(*words, folder=place)
        assert ran.code == 0, f"{command}: {ran.err}"
    assert (place / "tuning.html").stat().st_size > 1000
