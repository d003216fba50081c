"""Parsers for the forms of answers that most games use. Every refusal quotes the answer and says what is expected."""

from __future__ import annotations

from collections.abc import Collection

from arbiter.game.answers import GarbledMove
from arbiter.game.text import quoted

_BLANKS = " \t\r\n\v\f"
_MOST_DIGITS = 18
"""Every number of this length is exact in every language, and no game needs a longer one."""


def words_of(answer: str) -> list[str]:
    """Split an answer at whitespace. Raises GarbledMove if nothing is left."""
    words = answer.strip(_BLANKS).split()
    if not words:
        raise GarbledMove("the answer is empty")
    return words


def numbers_of(answer: str, count: int | None = None) -> list[int]:
    """Return the whole numbers that an answer consists of. Raises GarbledMove for anything else, or unless there are ``count``.

    A sign and leading zeros are allowed: ``+3``, ``-1``, ``007``.
    """
    words = words_of(answer)
    for word in words:
        digits = word[1:] if word[0] in "+-" else word
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
            raise GarbledMove(f"{quoted(word)} must be a whole number")
    if count is not None and len(words) != count:
        expected = "one whole number" if count == 1 else f"{count} whole numbers"
        raise GarbledMove(f"{quoted(answer.strip(_BLANKS))}: the answer must be {expected}")
    return [int(word) for word in words]


def word_of(answer: str, choices: Collection[str]) -> str:
    """Return the choice that an answer consists of, ignoring case. Raises GarbledMove."""
    word = answer.strip(_BLANKS)
    for choice in choices:
        if word.isascii() and word.lower() == choice.lower():
            return choice
    raise GarbledMove(f"{quoted(word)}: the answer must be one of {', '.join(choices)}")
