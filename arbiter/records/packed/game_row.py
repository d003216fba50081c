"""One record as the values of a row: facts to search by, and what is needed to restore its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import msgspec

from arbiter.records.format import FORMAT, Header, ResultLine
from arbiter.records.packed import shapes
from arbiter.records.packed.lines import (
    PackedAnswer,
    PackedHeader,
    PackedResult,
    PlainAnswer,
    decode_answers,
    decode_header,
    decode_plain_answers,
    decode_result,
)
from arbiter.records.packed.templates import template
from arbiter.records.packed.values import (
    column_number,
    digest_bytes,
    moment_ms,
    number_text,
    restored_moment,
    value_text,
    word_text,
)
from arbiter.records.reader import NOT_A_LINE

Row = dict[str, Any]
"""Values by column; a column that is missing is null."""
Answers = Sequence[PlainAnswer] | Sequence[PackedAnswer]

_TURN, _SEAT = map(attrgetter, ("turn", "seat"))
_names = ("chance", "started", "left_us", "message", "notes", "fault", "kibitz")
_CHANCE, _STARTED, _LEFT, _MESSAGE, _NOTES, _FAULT, _KIBITZ = map(attrgetter, _names)
"""Most games lack most of these; to look for any of them is much faster than a loop over the answers."""
_ANNULLED = b'{"type":"annulled"'


def game_row(data: bytes) -> tuple[Row, Answers]:
    """Return the row of a record without its answers, and the answers. Bytes that are not a finished record are stored
    as they are, in a row without facts."""
    try:
        return _parsed(data)
    except (*NOT_A_LINE, ValueError, OverflowError):
        return {"exact": data}, ()


def _parsed(data: bytes) -> tuple[Row, Answers]:
    head, middle, tail, annulled = _parts(data)
    header, result = decode_header(head), decode_result(tail)
    if header.format > FORMAT:
        raise ValueError("written by a newer arbiter")
    row = _header(header, head.decode()) | _result(result, tail.decode())
    row["annulled"] = None if annulled is None else annulled.decode()
    answers: Answers
    full: Sequence[PackedAnswer] = ()
    try:
        answers = decode_plain_answers(middle)
    except msgspec.ValidationError:
        answers = full = decode_answers(middle)
        row |= _some_answers(full)
    _check(header, answers, result)
    row["turns"] = len(set(map(_TURN, answers)))
    if result.afterwards or any(map(_KIBITZ, full)):
        row["kibitz_at"], kibitz = _kibitz(full, len(answers), result)
        row["kibitz"] = "\n".join([text.replace("\n", " ") for text in kibitz]) if kibitz else None
    return row, answers


def _parts(data: bytes) -> tuple[bytes, bytes, bytes, bytes | None]:
    """Return the header, the lines of answers with their line ends, the result, and the annulment if there is one."""
    if data[-1:] != b"\n":
        raise ValueError("the last line is not complete")
    first, last = data.index(b"\n"), data.rfind(b"\n", 0, -1)
    annulled = None
    end = len(data) - 1
    if data.startswith(_ANNULLED, last + 1):
        annulled, end = data[last + 1 : -1], last
        last = data.rfind(b"\n", 0, end)
    if last < first:
        raise ValueError("no result")
    return data[:first], data[first + 1 : last + 1], data[last + 1 : end], annulled


def _check(header: Header, answers: Answers, result: ResultLine) -> None:
    """Raise ValueError for seats that have no place in the columns, or that a reader of records would refuse."""
    seats = len(header.seats)
    named = set(map(_SEAT, answers)) | result.afterwards.keys()
    if seats > 127 or any(not 0 <= seat < seats for seat in named):
        raise ValueError("an invalid seat")
    if not len(result.ranks) == len(result.scores) == seats:
        raise ValueError("ranks and scores for another number of seats")


def _header(header: PackedHeader, line: str) -> Row:
    started, setup = moment_ms(header.started), bytes(header.setup).decode()
    version, game, seed = map(column_number, (header.version, header.game, header.seed))
    shape, numbers = shapes.split(setup)
    columns = {
        "protocol": word_text(header.protocol),
        "version": number_text(version),
        "seed": number_text(seed),
        "setup": setup,
        "started": restored_moment(header.started, started),
        "game": number_text(game),
        "contest": word_text(header.contest),
        "stage": word_text(header.stage),
    }
    return {
        "protocol": header.protocol,
        "version": version,
        "contest": header.contest,
        "stage": header.stage,
        "game": game,
        "seed": seed,
        "setup_shape": shape,
        "setup_numbers": numbers,
        "started": started,
        "agents": [seat.name for seat in header.seats],
        "fingerprints": [seat.fingerprint for seat in header.seats],
        "header": template(line, columns),
    }


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
    """Return all kibitz, and the position of its answer for each line. Positions after the last answer stand for seats:
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
