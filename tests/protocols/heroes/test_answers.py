"""One word, any case."""

from __future__ import annotations

import pytest

from arbiter.game import GarbledMove

from .table import WORDS, new_game


@pytest.mark.parametrize("spelling", ["{0}", " {0}", "{0}\r", "\t{0} \r\n"])
def test_the_five_words_in_any_case(spelling: str) -> None:
    game = new_game()
    for word in WORDS:
        for cased in (word, word.lower(), word.upper(), word.swapcase()):
            assert game.read(0, spelling.format(cased)).text == word


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("", "the answer is empty"),
        (" \r", "the answer is empty"),
        ("N", "unknown direction 'N'"),
        ("up", "unknown direction 'up'"),
        ("North East", "unknown direction 'North East'"),
        ("North\nSouth", "unknown direction 'North\\nSouth'"),
        ("North!", "unknown direction 'North!'"),
        ("North\x00", "unknown direction 'North\\x00'"),
        ("\xa0North", "unknown direction '\\xa0North'"),
        ("ſtay", "unknown direction '\\u017ftay'"),
        ("Ｎorth", "unknown direction"),
        ("\x1b[2J", "unknown direction '\\x1b[2J'"),
        ("%s%n{0}", "unknown direction '%s%n{0}'"),
        ('{"dir":"North"}', "unknown direction"),
        ("x" * 65_536, "…'; choose from"),
        ("\x00" * 65_536, "…'; choose from"),
        ("\ud800", "unknown direction"),
    ],
)
def test_anything_else_is_garbled_and_quoted(answer: str, words: str) -> None:
    with pytest.raises(GarbledMove) as caught:
        new_game().read(0, answer)
    assert words in caught.value.reason
    assert caught.value.reason.isprintable()
    assert len(caught.value.reason) < 140
    assert caught.value.salvage == ""
