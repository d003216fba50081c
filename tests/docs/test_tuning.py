"""The page about tuning is correct: its file and its keys."""

from __future__ import annotations

import re
from pathlib import Path

from arbiter.author.tune_file import KEYS, Tuning, load_tuning
from tests.nullgame.place import write
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
