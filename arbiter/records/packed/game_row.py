"""Records as the values of rows: facts to search by, and what is needed to restore their bytes."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from arbiter.records.format import ResultLine
from arbiter.records.packed import shapes
from arbiter.records.packed.answers import Answers, from_lines, merged
from arbiter.records.packed.headers import Headers
from arbiter.records.packed.lines import PackedAnswer, PackedResult, decode_answers, decode_result
from arbiter.records.packed.plain_lines import read_plain_lines
from arbiter.records.packed.templates import template
from arbiter.records.packed.values import (
    Row,
    column_number,
    digest_bytes,
    moment_ms,
    number_text,
    restored_moment,
    value_text,
)
from arbiter.records.reader import NOT_A_LINE

_SEAT = attrgetter("seat")
_names = ("chance", "started", "left_us", "message", "notes", "fault", "kibitz")
_CHANCE, _STARTED, _LEFT, _MESSAGE, _NOTES, _FAULT, _KIBITZ = map(attrgetter, _names)
"""Most games have few of these; checking for any of them is much faster than a loop over the answers."""
_ANNULLED = b'{"type":"annulled"'


def game_rows(games: Sequence[bytes], headers: Headers) -> tuple[list[Row], Answers]:
    """Return the rows of records without their answers, and the answers. Bytes that are not a finished record are stored
    unchanged, in a row without facts or answers."""
    parts = list(map(_parts, games))
    answers, plain = read_plain_lines([part.answers if part and _may_be_plain(part.answers) else b"" for part in parts])
    rows: list[Row] = []
    others: list[Sequence[PackedAnswer]] = []
    known = zip(parts, answers.counts.tolist(), answers.last_seats(), strict=True)
    for number, (part, count, last_seat) in enumerate(known):
        lines: Sequence[PackedAnswer] = ()
        try:
            if part is None:
                raise ValueError("not a finished record")
            if plain[number] and (count or not part.answers):
                rows.append(_row(headers, part, lines, count, last_seat))
            else:
                plain[number] = False
                lines = decode_answers(part.answers)
                rows.append(_row(headers, part, lines, len(lines), max(map(_SEAT, lines), default=-1)))
                others.append(lines)
        except (*NOT_A_LINE, ValueError, OverflowError):
            rows.append({"exact": games[number]})
            others.append(())
            plain[number] = False
    if others:
        answers = merged(answers, from_lines(others), plain)
    for row, turns in zip(rows, answers.turns(), strict=True):
        row["turns"] = turns if "agents" in row else None
    return rows, answers


def _may_be_plain(lines: bytes) -> bool:
    """Return whether it is worthwhile to read answers as plain ones: they have no kibitz, random outcomes, notes or starts."""
    return b"]" not in lines and b":true" not in lines


class _Parts(NamedTuple):
    """A record, in parts."""

    header: bytes
    answers: bytes
    """Lines with their line ends."""
    result: bytes
    annulled: bytes | None


def _parts(data: bytes) -> _Parts | None:
    """Return the parts of a record; None if it does not have them."""
    first, last = data.find(b"\n"), data.rfind(b"\n", 0, -1)
    annulled = None
    end = len(data) - 1
    if data.startswith(_ANNULLED, last + 1):
        annulled, end = data[last + 1 : -1], last
        last = data.rfind(b"\n", 0, end)
    if last < first or data[-1:] != b"\n":
        return None
    return _Parts(data[:first], data[first + 1 : last + 1], data[last + 1 : end], annulled)


def _row(headers: Headers, part: _Parts, lines: Sequence[PackedAnswer], answers: int, last_seat: int) -> Row:
    """Return a row without the answers. ``lines`` is empty if none of them has more than a move and times."""
    row, result = headers.row(part.header), decode_result(part.result)
    _check(len(row["agents"]), last_seat, result)
    row |= _result(result, part.result.decode())
    row["annulled"] = None if part.annulled is None else part.annulled.decode()
    if lines:
        row |= _some_answers(lines)
    if result.afterwards or any(map(_KIBITZ, lines)):
        row["kibitz_at"], kibitz = _kibitz(lines, answers, result)
        row["kibitz"] = "\n".join([text.replace("\n", " ") for text in kibitz]) if kibitz else None
    return row


def _check(seats: int, last_seat: int, result: ResultLine) -> None:
    """Raise ValueError for seats that do not fit the columns, or that a reader of records would refuse."""
    if seats > 127 or last_seat >= seats or any(not 0 <= seat < seats for seat in result.afterwards):
        raise ValueError("an invalid seat")
    if not len(result.ranks) == len(result.scores) == seats:
        raise ValueError("ranks and scores for another number of seats")


def _result(result: PackedResult, line: str) -> Row:
    ended, digest, deal_seed = moment_ms(result.ended), digest_bytes(result.digest), column_number(result.deal_seed)
    ranks = [column_number(rank) for rank in result.ranks]
    columns = {
        "ranks": value_text(ranks),
        "scores": value_text(result.scores),
        "reason": value_text(result.reason),
        # A seat without kibitz would not be restored.
        "afterwards": value_text(result.afterwards) if all(result.afterwards.values()) else "",
        "deal_seed": number_text(deal_seed),
        "ended": restored_moment(result.ended, ended),
        "digest": "" if digest is None else f'"sha256:{digest.hex()}"',
    }
    shape, numbers = shapes.split(template(line, columns))
    return {
        "ended": ended,
        "ranks": ranks,
        "scores": result.scores,
        "reason": result.reason,
        "deal_seed": deal_seed,
        "digest": digest,
        "result": shape,
        "result_numbers": shapes.steps(numbers),
    }


def _some_answers(answers: Sequence[PackedAnswer]) -> Row:
    """Return the columns for what only some answers have, each entry with the position of its answer."""
    found: Row = {}
    if any(map(_CHANCE, answers)):
        found["chance"] = [(at, outcome) for at, line in enumerate(answers) for outcome in line.chance]
    if any(map(_STARTED, answers)):
        found["restarts"] = [at for at, line in enumerate(answers) if line.started]
    if any(map(_LEFT, answers)):
        found["left_us"] = [(at, line.left_us) for at, line in enumerate(answers) if line.left_us is not None]
    if any(map(_MESSAGE, answers)):
        found["messages"] = [(at, line.message) for at, line in enumerate(answers) if line.message]
    if any(map(_NOTES, answers)):
        found["notes"] = [(at, text) for at, line in enumerate(answers) for text in line.notes]
    if any(map(_FAULT, answers)):
        found["faults"] = [
            (at, line.seat, f.kind, f.detail, f.said, f.said_bytes, f.stderr, f.exit_code, f.memory)
            for at, line in enumerate(answers)
            if (f := line.fault) is not None
        ]
    return found


def _kibitz(answers: Sequence[PackedAnswer], number: int, result: ResultLine) -> tuple[list[int], list[str]]:
    """Return all kibitz, and for each line the position of its answer. Positions after the last answer represent seats:
    kibitz that arrived after the game. ``answers`` is empty if none of this ``number`` of answers has kibitz."""
    positions: list[int] = []
    texts: list[str] = []
    for at, line in enumerate(answers):
        if line.kibitz:
            positions += [at] * len(line.kibitz)
            texts += line.kibitz
    for seat, afterwards in result.afterwards.items():
        positions += [number + seat] * len(afterwards)
        texts += afterwards
    return positions, texts
