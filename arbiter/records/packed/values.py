"""How values of a record's lines are stored in columns of their own, and restored as text."""

from __future__ import annotations

import functools
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from arbiter.records.archive.moments import moment_us

Row = dict[str, Any]
"""Values of a game by column; a column that is missing is null."""

LARGEST = 1 << 62
"""Numbers in columns are smaller than this; their differences and sums fit 64 bits."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
_IN_MS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_json = msgspec.json.Encoder().encode


def value_text(value: object) -> str:
    """Return a value as JSON, as it is written in records."""
    return _json(value).decode()


@functools.lru_cache(4096)
def word_text(word: str) -> str:
    """Return a string that occurs in many records as it is written there."""
    return value_text(word)


def number_text(number: int | None) -> str:
    """Return a number of a column as it is written in records."""
    return "null" if number is None else str(number)


def column_number(value: int | None) -> int | None:
    """Return a number that fits its column; None if it does not."""
    return value if value is not None and -LARGEST < value < LARGEST else None


def moment_ms(text: str) -> int | None:
    """Parse a time from a record, to milliseconds since 1970; None if it is not a time."""
    found = moment_us(text)
    return None if found is None else found // 1000


def moment_text(ms: int) -> str:
    """Return a time as a value in a line."""
    return f'"{(_EPOCH + ms * _MS).isoformat(timespec="milliseconds")[:23]}Z"'


def restored_moment(text: str, ms: int | None) -> str:
    """Return a time of a record as a value in a line, if it can be restored exactly from its milliseconds; otherwise nothing."""
    return f'"{text}"' if ms is not None and _IN_MS.fullmatch(text) else ""


def digest_bytes(text: str) -> bytes | None:
    """Return the bytes of a digest; None if it has another form."""
    if len(text) != 71 or not text.startswith("sha256:"):
        return None
    try:
        found = bytes.fromhex(text[7:])
    except ValueError:
        return None
    return found if len(found) == 32 else None
