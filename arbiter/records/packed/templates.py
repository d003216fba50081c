"""A line of a record as a template: the line with holes for the values that are stored in columns of their own.

Headers of a match differ in only a few values, so their templates are equal and take almost no space in a column with a
dictionary. A value that cannot be restored from its column byte for byte stays in the template, like everything else.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

HOLE = "\1"
"""A control character, which no JSON text contains; different from the one of shapes, since a template can have a shape."""

_KEY = re.compile(r'"(\w+)":$')


def template(line: str, columns: Mapping[str, str]) -> str:
    """Return the template of a line; ``columns`` has the text that is restored from columns, by key in the order of the line.

    A key is also found in an object within the line. That does no harm: a hole is filled with the text that was there.
    """
    pieces: list[str] = []
    at = 0
    for key, text in columns.items():
        wanted = f'"{key}":{text}'
        start = line.find(wanted, at)
        end = start + len(wanted)
        if start >= 0 and line[end : end + 1] in (",", "}"):  # else it is only the beginning of a value
            pieces += line[at : end - len(text)], HOLE
            at = end
    return "".join([*pieces, line[at:]])


def fill(text: str, values: Mapping[str, Sequence[str]], row: int) -> str:
    """Return the line of a template; ``values`` has the text for each row, by key."""
    pieces, keys = _parsed(text)
    filled = [pieces[0]]
    for key, piece in zip(keys, pieces[1:], strict=True):
        filled += values[key][row], piece
    return "".join(filled)


@functools.lru_cache(4096)
def _parsed(text: str) -> tuple[list[str], list[str]]:
    pieces = text.split(HOLE)
    keys = [found[1] for piece in pieces[:-1] if (found := _KEY.search(piece))]
    if len(keys) != len(pieces) - 1:
        raise ValueError("a hole without a key")
    return pieces, keys
