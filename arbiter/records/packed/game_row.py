"""One record as the values of a row: facts to search by, and what is needed to restore its bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from arbiter.records.format import FORMAT, Header, ResultLine, decode_line
from arbiter.records.packed import shapes
from arbiter.records.packed.answer import PackedAnswer
from arbiter.records.packed.templates import Values, raw_values, template
from arbiter.records.packed.values import column_number, digest_bytes, moment_ms, moment_text, value_text
from arbiter.records.reader import NOT_A_LINE

Row = dict[str, Any]
"""Values by column; a column that is missing is null."""

_decode_answers = msgspec.json.Decoder(PackedAnswer).decode_lines
_ANNULLED = b'{"type":"annulled"'


def game_row(data: bytes) -> tuple[Row, Sequence[PackedAnswer]]:
    """Return the row of a record without its answers, and the answers. Bytes that are not a finished record are stored
    as they are, in a row without facts."""
    try:
        return _parsed(data)
    except (*NOT_A_LINE, ValueError, OverflowError):
        return {"exact": data}, ()


def _parsed(data: bytes) -> tuple[Row, Sequence[PackedAnswer]]:
    head, middle, tail, annulled = _parts(data)
    header, result, answers = decode_line(head), decode_line(tail), _decode_answers(middle)
    if not isinstance(header, Header) or not isinstance(result, ResultLine):
        raise ValueError("no header or no result")
    if header.format > FORMAT:
        raise ValueError("written by a newer arbiter")
    _check(header, answers, result)
    row = _header(header, head.decode()) | _result(result, tail.decode())
    row["turns"] = len({line.turn for line in answers})
    row["annulled"] = None if annulled is None else annulled.decode()
    row |= _some_answers(answers)
    row["kibitz_at"], kibitz = _kibitz(answers, result)
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


def _check(header: Header, answers: Sequence[PackedAnswer], result: ResultLine) -> None:
    """Raise ValueError for seats that have no place in the columns, or that a reader of records would refuse."""
    seats = len(header.seats)
    named = {line.seat for line in answers} | result.afterwards.keys()
    if seats > 127 or any(not 0 <= seat < seats for seat in named):
        raise ValueError("an invalid seat")
    if not len(result.ranks) == len(result.scores) == seats:
        raise ValueError("ranks and scores for another number of seats")


def _header(header: Header, line: str) -> Row:
    started = moment_ms(header.started)
    row: Row = {
        "protocol": header.protocol,
        "version": column_number(header.version),
        "contest": header.contest,
        "stage": header.stage,
        "game": column_number(header.game),
        "seed": column_number(header.seed),
    }
    columns: Values = {key: value_text(value) for key, value in row.items() if value is not None}
    if started is not None:
        columns["started"] = moment_text(started)
    values = raw_values(line)
    if values is not None and "setup" in values:
        columns["setup"] = values["setup"]
        row["setup_shape"], row["setup_numbers"] = shapes.split(values["setup"])
    return row | {
        "started": started,
        "agents": [seat.name for seat in header.seats],
        "fingerprints": [seat.fingerprint for seat in header.seats],
        "header": line if values is None else template(values, columns),
    }


def _result(result: ResultLine, line: str) -> Row:
    ended, digest, deal_seed = moment_ms(result.ended), digest_bytes(result.digest), column_number(result.deal_seed)
    ranks = [column_number(rank) for rank in result.ranks]
    columns: Values = {
        "ranks": value_text(ranks),
        "scores": value_text(result.scores),
        "reason": value_text(result.reason),
        "deal_seed": value_text(deal_seed),
    }
    if ended is not None:
        columns["ended"] = moment_text(ended)
    if digest is not None:
        columns["digest"] = f'"sha256:{digest.hex()}"'
    if all(result.afterwards.values()):  # a seat without kibitz would not be restored
        columns["afterwards"] = value_text(result.afterwards)
    values = raw_values(line)
    shape, numbers = shapes.split(line if values is None else template(values, columns))
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
    found: Row = {name: [] for name in ("left_us", "chance", "restarts", "faults", "messages", "notes")}
    for at, line in enumerate(answers):
        if line.chance:
            found["chance"] += [(at, outcome) for outcome in line.chance]
        if line.started:
            found["restarts"].append(at)
        if line.left_us is not None:
            found["left_us"].append((at, line.left_us))
        if line.message:
            found["messages"].append((at, line.message))
        if line.notes:
            found["notes"] += [(at, text) for text in line.notes]
        if line.fault is not None:
            f = line.fault
            found["faults"].append(
                (at, line.seat, f.kind, f.detail, f.said, f.said_bytes, f.stderr, f.exit_code, f.memory)
            )
    return found


def _kibitz(answers: Sequence[PackedAnswer], result: ResultLine) -> tuple[list[int], list[str]]:
    """Return all kibitz, and the position of its answer for each line. Positions after the last answer stand for seats:
    kibitz that arrived after the game."""
    positions: list[int] = []
    texts: list[str] = []
    for at, line in enumerate(answers):
        if line.kibitz:
            positions += [at] * len(line.kibitz)
            texts += line.kibitz
    for seat, afterwards in result.afterwards.items():
        positions += [len(answers) + seat] * len(afterwards)
        texts += afterwards
    return positions, texts
