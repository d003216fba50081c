"""The page about languages lists the table of languages, and its example is a language."""

from __future__ import annotations

import re
import tomllib

import pytest

from arbiter.agents.prepare import languages
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")


def test_every_language_of_the_table_is_listed_with_its_extensions_and_tools() -> None:
    rows = {name: (set(re.findall(r"`(\.\w+)`", extensions)), tools)
            for name, extensions, tools in re.findall(r"^\| (.+?) \| (`\..+?) \| (.*) \|$", PAGE, re.MULTILINE)}  # fmt: skip
    known: dict[str, set[str]] = {}
    for language in languages._TABLE:
        known.setdefault(language.name, set()).update(language.extensions)
        words = {word.partition(">=")[0] for tool in language.tools for word in tool.split("|")}
        assert words <= set(re.findall(r"[\w.+-]+", rows[language.name][1])), language
    assert {name: extensions for name, (extensions, _) in rows.items()} == known


def test_the_example_of_an_own_language_is_valid() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (entry,) = tomllib.loads(block)["languages"].values()
    assert set(entry) == {"extensions", "build", "run"}
    assert re.findall(r"\{(\w+)\}", " ".join(entry["build"] + entry["run"])) == ["program", "source", "program"]
