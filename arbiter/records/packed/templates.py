"""A line of a record as a template: the line with holes for the values that are stored in columns of their own.

Headers of a match differ in a few values only, so that their templates are equal and cost next to nothing in a column with a
dictionary. A value that cannot be restored from its column byte for byte stays in the template, and so does every unknown key;
a line that is not one compact JSON object is its own template, without holes.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

import msgspec

Values = dict[str, str]
"""Text of values, as it stands in the line, by key."""

HOLE = "\1"
"""A control character, which no JSON text contains; not that of shapes, since a template can have a shape."""

_fields = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_KEY = re.compile(r'"(\w+)":$')


def raw_values(line: str) -> Values | None:
    """Return the values of a line as text; None if the line is not one JSON object without blanks between its fields."""
    try:
        values = {key: bytes(raw).decode() for key, raw in _fields(line).items()}
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return values if assemble(values) == line else None


def assemble(values: Mapping[str, str]) -> str:
    """Return the line that has these values. Keys are written as they are: those of records need no escaping."""
    return "{" + ",".join([f'"{key}":{value}' for key, value in values.items()]) + "}"


def template(values: Values, columns: Mapping[str, str]) -> str:
    """Return the template of a line; ``columns`` has the text that would be restored from columns, for some of the values."""
    return assemble({key: HOLE if columns.get(key) == value else value for key, value in values.items()})


def fill(text: str, value: Callable[[str], str]) -> str:
    """Return the line of a template; ``value`` returns the text for a key."""
    pieces, keys = _parsed(text)
    filled = [pieces[0]]
    for key, piece in zip(keys, pieces[1:], strict=True):
        filled += value(key), piece
    return "".join(filled)


@functools.lru_cache(4096)
def _parsed(text: str) -> tuple[list[str], list[str]]:
    pieces = text.split(HOLE)
    keys = [found[1] for piece in pieces[:-1] if (found := _KEY.search(piece))]
    if len(keys) != len(pieces) - 1:
        raise ValueError("a hole without a key")
    return pieces, keys
