"""Case-insensitive substring search in kibitz."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec

from arbiter.records.reader import Record


class Remark(msgspec.Struct, frozen=True):
    """One line of kibitz."""

    turn: int | None
    """None if it arrived after the last answer."""
    seat: int
    text: str


def remarks(record: Record) -> Iterator[Remark]:
    """Yield all kibitz of a game, in order."""
    for line in record.answers:
        for text in line.kibitz:
            yield Remark(line.turn, line.seat, text)
    if record.result:
        for seat, texts in record.result.afterwards.items():
            for text in texts:
                yield Remark(None, seat, text)


def fold(text: str) -> str:
    """Normalise text for comparison: casefolded, and on one line."""
    return text.casefold().replace("\n", " ")


def folded_kibitz(record: Record) -> dict[int, str]:
    """Return the folded kibitz of a game by seat, one line per remark. Seats without kibitz are left out."""
    lines: dict[int, list[str]] = {}
    for answer in record.answers:
        if answer.kibitz:
            lines.setdefault(answer.seat, []).extend(answer.kibitz)
    for seat, texts in (record.result.afterwards if record.result else {}).items():
        if texts:
            lines.setdefault(seat, []).extend(texts)
    return {seat: "\n".join([text.replace("\n", " ") for text in texts]).casefold() for seat, texts in lines.items()}


def matching(record: Record, text: str, agents: Collection[str] = ()) -> list[Remark]:
    """Return the remarks that contain a text; if agents are given, only theirs."""
    wanted, names = fold(text), record.names
    return [
        remark
        for remark in remarks(record)
        if wanted in fold(remark.text) and (not agents or names[remark.seat] in agents)
    ]
