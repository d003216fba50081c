"""The log that a referee writes: a JSON object with ``scores``, ``errors`` and ``outputs`` by player number."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from arbiter.text import safe

MOST_BYTES = 64 << 20
"""A larger log is refused."""
MOST_TEXT = 1 << 20
"""How many characters are kept of an agent's standard error."""
SUFFIX = ".referee.json.gz"
"""The suffix of the copy of the log next to the record."""
_KIBITZ = "kibitz "
_MOST_KIBITZ = 1000


class BadLog(Exception):
    """The log has no result of the game; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's decision. Lists are by seat."""

    scores: list[float]
    errors: list[str]
    """The part of the agents' standard error that the referee kept."""

    def kibitz(self, seat: int) -> list[str]:
        """Return the kibitz of a seat."""
        lines = self.errors[seat].splitlines()
        return [line.removeprefix(_KIBITZ)[:1000] for line in lines if line.startswith(_KIBITZ)][:_MOST_KIBITZ]


def read_referee_log(file: Path, seats: int) -> tuple[Verdict, bytes]:
    """Return the referee's decision, and the log itself. Raises BadLog."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadLog(f"it wrote no log: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise BadLog(f"its log is larger than {MOST_BYTES >> 20} MB")
    return parse_log(data, seats), data


def parse_log(data: bytes, seats: int) -> Verdict:
    """Return the decision in a log. Raises BadLog."""
    if not data.strip():
        raise BadLog("it wrote no log")
    try:
        document = msgspec.json.decode(data)
    except (ValueError, RecursionError) as error:
        raise BadLog(f"its log is not JSON: {safe(str(error))[:200]}") from None
    if not isinstance(document, dict) or "scores" not in document:
        raise BadLog("its log has no 'scores'")
    scores = [_score(value) for value in _by_seat("scores", document["scores"], seats)]
    errors = document.get("errors")
    texts = [""] * seats if not errors else [_text(value) for value in _loosely_by_seat(errors, seats)]
    return Verdict(scores, texts)


def keep_log(data: bytes, record: Path) -> None:
    """Write the log next to the record, encoded again so that control characters are escaped."""
    with gzip.open(record.with_suffix(SUFFIX), "wb") as file:
        file.write(msgspec.json.encode(msgspec.json.decode(data)))


def _numbered(values: dict[str, Any], seats: int) -> list[str] | None:
    """Return the keys of the seats, which are numbered from 0 or from 1; None if some are missing."""
    for first in (0, 1):
        keys = [str(number) for number in range(first, first + seats)]
        if all(key in values for key in keys):
            return keys
    return None


def _by_seat(what: str, values: Any, seats: int) -> list[Any]:
    if isinstance(values, list):
        values = {str(index): value for index, value in enumerate(values)}
    if not isinstance(values, dict):
        raise BadLog(f"{what!r} in its log must be an object with a value for each player")
    keys = _numbered(values, seats)
    if keys is None or len(values) != seats:
        raise BadLog(f"{what!r} in its log has {len(values)} values for {seats} players")
    return [values[key] for key in keys]


def _loosely_by_seat(values: Any, seats: int) -> Sequence[Any]:
    """Return what there is: standard error decides nothing, and the referee may have added an entry of its own."""
    if isinstance(values, list):
        return [values[seat] if seat < len(values) else "" for seat in range(seats)]
    if not isinstance(values, dict):
        return [""] * seats
    keys = _numbered(values, seats) or [str(seat) for seat in range(seats)]
    return [values.get(key, "") for key in keys]


def _score(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15:  # or NaN
        raise BadLog(f"the score {safe(str(value))[:60]!r} in its log is not a number")
    return value


def _text(value: Any) -> str:
    """Return the text of one agent, which the log has as a string, or as a list with a string or null for each turn."""
    parts = value if isinstance(value, list) else [value]
    lines = [part if part.endswith("\n") else f"{part}\n" for part in parts if isinstance(part, str) and part]
    return "".join(lines)[-MOST_TEXT:]
