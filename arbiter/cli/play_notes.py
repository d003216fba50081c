"""What the authors of agents should know after their games: the oddities that the records note, each mentioned once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from arbiter.records.notes import notes_on
from arbiter.records.reader import Record
from arbiter.text import count, safe

_MOST = 8
"""The most notes shown."""


def play_notes(records: Iterable[Record], shown: Iterable[tuple[str, str]] = ()) -> list[str]:
    """Return one line for every agent and kind of note: where it first came up, and how often.

    Notes that differ only in numbers are of one kind. Notes in ``shown``, by agent, are left out.
    """
    first: dict[tuple[str, str], str] = {}
    times: dict[tuple[str, str], int] = {}
    known = {_kind(*each) for each in shown}
    for name, turn, note in _noted(records):
        kind = _kind(name, note)
        if kind in known:
            continue
        first.setdefault(kind, f"{safe(name, 40)}, turn {turn}: {safe(note)}")
        times[kind] = times.get(kind, 0) + 1
    lines = [f"{text}{_again(times[kind])}" for kind, text in first.items()]
    return lines if len(lines) <= _MOST else [*lines[:_MOST], f"and {count(len(lines) - _MOST, 'more note')}"]


def _kind(name: str, note: str) -> tuple[str, str]:
    return name, re.sub(r"[\d.]+", "#", note)


def _noted(records: Iterable[Record]) -> Iterator[tuple[str, int, str]]:
    for record in records:
        names = record.names
        for line in record.answers:
            for note in notes_on(line) if line.fault or line.notes else ():
                yield names[line.seat], line.turn, note


def _again(times: int) -> str:
    return "" if times == 1 else f" ({times} times in all)"
