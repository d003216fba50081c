"""A description that uses everything is read and answered the same in every language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arbiter.starters.languages import LANGUAGES
from arbiter.starters.project import program
from arbiter.starters.wire_file import description_from
from tests.starters.making import answers, need_tools
from tests.starters.sinks import JSON, JSON_INPUT, WORDS, WORDS_INPUT

pytestmark = pytest.mark.slow


def answered(data: dict[str, Any], language: str, folder: Path, sent: str) -> list[str]:
    written = program(description_from(data, "wire.yaml"), LANGUAGES[language], "a test")
    return answers(written, language, folder / language, sent)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words(language: str, tmp_path: Path) -> None:
    need_tools(language)
    assert answered(WORDS, language, tmp_path, WORDS_INPUT) == [
        'ann@1![old]bob@-3=1=2~iss {25} -23 \\ "the sea is wide" 5% $x',
        'cid@0?~iss {33} -30 \\ "the sea is wide" 5% $x',
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages(language: str, tmp_path: Path) -> None:
    need_tools(language)
    assert answered(JSON, language, tmp_path, JSON_INPUT) == ['<a"b><c\\d/><Az>x+say3 11', "0 11"]
