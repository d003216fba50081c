"""Generated starters equal the golden files."""

from __future__ import annotations

import pytest

from arbiter.starters.languages import LANGUAGES
from tests.starters.golden import HERE, PAIRS
from tests.starters.making import files


@pytest.mark.parametrize(("game", "language"), PAIRS)
def test_a_starter_is_as_recorded(game: str, language: str) -> None:
    written = files(game, language)
    recorded = {file.name.removesuffix(".txt"): file for file in (HERE / f"{game}-{language}").iterdir()}

    assert LANGUAGES[language].file in recorded
    assert {"agent.yaml", "README.md"} <= set(recorded)
    for name, file in recorded.items():
        assert written[name] == file.read_text(encoding="utf-8"), (
            f"{file} differs: if this is meant, write it again: python -m tests.starters.golden"
        )


def test_every_language_has_a_golden_starter() -> None:
    assert {language for _, language in PAIRS} == set(LANGUAGES)
