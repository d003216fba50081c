"""Split text into its shape and its numbers: ``{"decks":[[21,20]]}`` is the shape ``{"decks":[[#,#]]}`` and 21, 20.

Setups and results of one protocol have few shapes, so a shape takes almost no space in a column with a dictionary, and numbers
take far less as numbers than as text. The placeholder is a control character, which no JSON text contains.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import msgspec

HOLE = "\0"
"""For a number."""

# Without leading zeros, and at most nine digits: such a number fits 32 bits and is written in one way only.
_NUMBER = re.compile(r"(?<![0-9])(0|[1-9][0-9]{0,8})(?![0-9])")
_DIGITS = b"0123456789"
_TO_HOLES = bytes.maketrans(_DIGITS, bytes(10))
_TO_BLANKS = bytes(byte if byte in _DIGITS else 32 for byte in range(256))
_TO_KINDS = _TO_BLANKS.translate(bytes.maketrans(b"23456789", b"1" * 8))
_TEN_DIGITS = bytes(10)
_numbers = msgspec.json.Decoder(list[int]).decode
"""Parses all numbers at once, which is faster than int() for each."""


@functools.lru_cache(64)  # games with paired seeds share their setup
def split(text: str) -> tuple[str, list[int]]:
    """Return the shape of a text and its numbers in order; the text must not contain a null character."""
    data = text.encode()
    shape = data.translate(_TO_HOLES)
    kinds = b" " + data.translate(_TO_KINDS)
    if _TEN_DIGITS in shape or b" 00" in kinds or b" 01" in kinds:
        pieces = _NUMBER.split(text)
        return HOLE.join(pieces[::2]), list(map(int, pieces[1::2]))
    # All digits belong to such numbers, so there is no need to match each of them, which takes three times as long.
    while b"\0\0" in shape:
        shape = shape.replace(b"\0\0", b"\0")
    numbers = b",".join(data.translate(_TO_BLANKS).split())
    return shape.decode(), _numbers(b"[%b]" % numbers)


def fill(shape: str, numbers: Sequence[str]) -> str:
    """Return the text that was split, given its numbers as text. Raises ValueError if the shape has a different number of holes."""
    pieces = shape.split(HOLE)
    if len(pieces) != len(numbers) + 1:
        raise ValueError(f"{len(numbers)} numbers for a shape with {len(pieces) - 1} holes")
    filled = [""] * (2 * len(pieces) - 1)
    filled[::2] = pieces
    filled[1::2] = numbers
    return "".join(filled)


def steps(numbers: Sequence[int]) -> list[int]:
    """Return the differences between consecutive numbers: results have curves, whose steps are small."""
    return [number - before for number, before in zip(numbers, (0, *numbers[:-1]), strict=True)]
