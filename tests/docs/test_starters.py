"""docs/starters.md: its description is a description, its table lists the languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arbiter.starters.languages import LANGUAGES
from arbiter.starters.project import program
from arbiter.starters.wire_file import read_description
from tests.starters.making import answers, need_tools
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "starters.md").read_text(encoding="utf-8")


def test_the_table_lists_the_languages() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([\w.]+)` \|", PAGE, re.MULTILINE)
    assert rows == [(name, language.file) for name, language in LANGUAGES.items()]


def test_the_json_readers_are_named() -> None:
    assert all(f"`{each.json_file}`" in PAGE for each in LANGUAGES.values() if each.json_file)


@pytest.mark.parametrize("language", ["python", "c"])
def test_the_example_is_a_working_description(language: str, tmp_path: Path) -> None:
    need_tools(language)
    (found,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "wire.yaml"
    file.write_text(found, encoding="utf-8")

    written = program(read_description(file), LANGUAGES[language], "the page")

    sent = "2 1\n2\n3 4 1,2\n5 6 x\n" + "7\n0 1\n" + "8\n1 1\n"
    assert answers(written, language, tmp_path / "made", sent) == ["BUILD 3 4 5 6"] * 2
