"""One word, any case."""

from __future__ import annotations

import pytest

from arbiter.game import GarbledMove

from .table import WORDS, new_game


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("spelling", ["{0}", " {0}", "{0}\r", "\t{0} \r\n"])
def test_the_five_words_in_any_case(word: str, spelling: str) -> None:
    game = new_game()
    for cased in (word, word.lower(), word.upper(), word.swapcase()):
        assert game.read(0, spelling.format(cased)).text == word


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("", "the answer is empty"),
        (" \r", "the answer is empty"),
        ("N", "'N' is no direction"),
        ("up", "'up' is no direction"),
        ("North East", "'North East' is no direction"),
        ("North\nSouth", "'North\\nSouth' is no direction"),
        ("North!", "'North!' is no direction"),
        ("North\x00", "'North\\x00' is no direction"),
        ("\xa0North", "'\\xa0North' is no direction"),
        ("ſtay", "'\\u017ftay' is no direction"),
        ("Ｎorth", "is no direction"),
        ("\x1b[2J", "'\\x1b[2J' is no direction"),
        ("%s%n{0}", "'%s%n{0}' is no direction"),
        ('{"dir":"North"}', "is no direction"),
        ("x" * 65_536, "…' is no direction"),
        ("\x00" * 65_536, "…' is no direction"),
        ("\ud800", "is no direction"),
    ],
)
def test_anything_else_is_garbled_and_quoted(answer: str, words: str) -> None:
    with pytest.raises(GarbledMove) as caught:
        new_game().read(0, answer)
    assert words in caught.value.reason
    assert caught.value.reason.isprintable()
    assert len(caught.value.reason) < 140
    assert caught.value.salvage == ""
