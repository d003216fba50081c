"""The page about tuning is correct: its file and its keys."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from arbiter.agents.prepare.tuned import TunedAgent
from arbiter.author.tune import tune
from arbiter.author.tune_file import TuneFile, load_tuning
from arbiter.contest.definition import Contest
from arbiter.contest.progress import RunResult
from tests.nullgame.place import write
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
(SNIPPET,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


class Ready(Exception):
    """The first contest of the tuning could be played now."""


def test_the_file_on_the_page_can_be_played(tmp_path: Path) -> None:
    """Its agent and its field are found, and every candidate gets its values."""
    write(tmp_path / "bot.cpp", '#include "params.h"\nint main() { return DEPTH; }\n')
    tuning = load_tuning(write(tmp_path / "mybot.yaml", SNIPPET))
    assert list(tuning.template.parameters) == ["depth", "weight", "style"]
    made: list[Contest] = []

    def play(contest: Contest) -> RunResult:
        made.append(contest)
        raise Ready

    with pytest.raises(Ready):
        tune(tuning, tmp_path / "games", play)
    (contest,) = made
    assert len(contest.names) == tuning.wanted.candidates + 1 + 2
    assert contest.names[-2:] == ("steady", "sensible")


def test_every_key_is_on_the_page_with_its_default() -> None:
    rows = [line.split("|")[1:4] for line in PAGE.splitlines() if line.startswith("| `")]
    keys = {name: default.strip() for names, _, default in rows for name in re.findall(r"`(\w+)`", names)}
    assert keys.keys() == {*TunedAgent.__struct_fields__, *TuneFile.__struct_fields__}
    defaults = {field.name: field.default for field in msgspec.structs.fields(TuneFile)}
    for name in ("candidates", "generations", "divisor", "confirm"):
        assert keys[name].split(",")[0] == str(defaults[name])
