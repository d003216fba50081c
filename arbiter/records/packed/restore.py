"""From columns back to the bytes of records."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from arbiter.records.format import AnswerLine, FaultInfo
from arbiter.records.packed import shapes, templates
from arbiter.records.packed.arrays import whole
from arbiter.records.packed.schema import ANSWERS, SOME_ANSWERS, TIMES
from arbiter.records.packed.times import usual_charge
from arbiter.records.packed.values import value_text, word_text

_encode_lines = msgspec.json.Encoder().encode_lines

_TEXT_COLUMNS = (
    *("protocol", "version", "contest", "stage", "game", "seed", "deal_seed", "started", "ended", "ranks", "scores"),
    *("reason", "digest", "header", "setup_shape", "setup_numbers", "result", "result_numbers", "annulled", "exact"),
    "kibitz",
)

UNFIT = (pa.ArrowException, ValueError, LookupError, TypeError, AttributeError)
"""Exceptions of columns that are inconsistent."""

Row = dict[str, Any]
Some = dict[str, Sequence[tuple[Any, ...]]]
"""The entries of columns that only some answers have."""


class _Plain(msgspec.Struct, tag_field="type", tag="answer", omit_defaults=True):
    """An answer with nothing but a move and its times: encoded as :class:`AnswerLine` is, and made in half the time."""

    turn: int
    seat: int
    move: str
    wall_us: int
    cpu_us: int
    charged_us: int
    waited_us: int = 0


def records(table: pa.Table) -> Iterator[bytes]:
    """Yield the record of each row. Raises ValueError if the columns do not fit together."""
    texts = {name: _values(whole(table.column(name))) for name in _TEXT_COLUMNS}
    ends, lines = _answers(table)
    some = {name: _entries(whole(table.column(name))) for name in SOME_ANSWERS}
    for number in range(table.num_rows):
        row = {name: values[number] for name, values in texts.items()}
        if row["exact"] is not None:
            yield row["exact"]
            continue
        own: Some = {name: entries[starts[number] : starts[number + 1]] for name, (starts, entries) in some.items()}
        yield _record(row, lines[ends[number] : ends[number + 1]], own)


def _values(column: pa.Array) -> list[Any]:
    if pa.types.is_timestamp(column.type):
        return _moments(column)
    if pa.types.is_list(column.type) and not column.null_count:
        starts, flat = _flat(column)
        values = _values(flat)
        return [values[start:end] for start, end in pairwise(starts)]
    if pa.types.is_string(column.type):  # most texts repeat
        encoded = column.dictionary_encode()
        words = [*encoded.dictionary.to_pylist(), None]
        return [words[index] for index in encoded.indices.fill_null(len(words) - 1).to_numpy().tolist()]
    if (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)) and not column.null_count:
        return list(column.to_numpy().tolist())
    return list(column.to_pylist())


def _moments(column: pa.TimestampArray) -> list[str]:
    """Return the text of moments as values in a line; what it is for a null does not matter."""
    times = column.cast(pa.int64()).fill_null(0).to_numpy().astype("datetime64[ms]")
    return [f'"{text}Z"' for text in np.datetime_as_string(times, unit="ms").tolist()]


def _flat(column: pa.ListArray) -> tuple[list[int], pa.Array]:
    """Return where the list of each row starts, with the end of the last one, and the elements of all lists."""
    offsets = column.offsets.to_numpy()
    return (offsets - offsets[0]).tolist(), column.flatten()


def _entries(column: pa.ListArray) -> tuple[list[int], list[tuple[Any, ...]]]:
    starts, flat = _flat(column)
    fields = flat.flatten() if pa.types.is_struct(flat.type) else [flat]
    return starts, list(zip(*map(_values, fields), strict=True))


def _answers(table: pa.Table) -> tuple[list[int], list[_Plain]]:
    """Return where the answers of each row start, and the answers of all rows."""
    flat = {name: _flat(whole(table.column(name))) for name in ANSWERS}
    starts = flat["turn"][0]
    if any(found != starts for found, _ in flat.values()):
        raise ValueError("lists of different lengths")
    cpu, waited, idle, extra = (flat[name][1].to_numpy() for name in TIMES)
    charged = usual_charge(cpu, waited, idle) + extra
    turn, seat, move = (_values(flat[name][1]) for name in ("turn", "seat", "move"))
    numbers = [column.tolist() for column in (cpu + waited + idle, cpu, charged, waited)]
    return starts, list(map(_Plain, turn, seat, move, *numbers))


def _record(row: Row, plain: Sequence[_Plain], some: Some) -> bytes:
    lines: list[_Plain | AnswerLine] = list(plain)
    kibitz = _kibitz(row["kibitz"], some["kibitz_at"])
    if any(some.values()):
        _add_some(lines, some, kibitz)
    header = templates.fill(row["header"], lambda key: _TEXTS[key](row))
    after: dict[int, list[str]] = {}
    for at, text in kibitz:
        if at >= len(lines):
            after.setdefault(at - len(lines), []).append(text)
    rest = shapes.fill(row["result"], list(accumulate(row["result_numbers"])))
    result = templates.fill(rest, lambda key: value_text(after) if key == "afterwards" else _TEXTS[key](row))
    ending = f"{result}\n" if row["annulled"] is None else f"{result}\n{row['annulled']}\n"
    return header.encode() + b"\n" + _encode_lines(lines) + ending.encode()


def _kibitz(text: str | None, positions: Sequence[tuple[int]]) -> list[tuple[int, str]]:
    """Return the lines of kibitz, each with the position of its answer. Raises ValueError if they do not fit together."""
    return list(zip([at for (at,) in positions], [] if text is None else text.split("\n"), strict=True))


_setup = functools.lru_cache(64)(shapes.fill)
"""Games with paired seeds share their setup."""


def _plain_value(key: str) -> Callable[[Row], str]:
    return lambda row: value_text(row[key])


_TEXTS: dict[str, Callable[[Row], str]] = {
    **{key: _plain_value(key) for key in ("version", "game", "seed", "deal_seed", "ranks", "scores", "reason")},
    "protocol": lambda row: word_text(row["protocol"]),
    "contest": lambda row: word_text(row["contest"]),
    "stage": lambda row: word_text(row["stage"]),
    "started": lambda row: row["started"],
    "ended": lambda row: row["ended"],
    "setup": lambda row: _setup(row["setup_shape"], tuple(row["setup_numbers"])),
    "digest": lambda row: f'"sha256:{row["digest"].hex()}"',
}
"""The text of a value in a line, from the columns of its row."""


def _add_some(lines: list[_Plain | AnswerLine], some: Some, kibitz: Sequence[tuple[int, str]]) -> None:
    """Replace the answers that have more than a move and times."""
    full: dict[int, AnswerLine] = {}

    def line(at: int) -> AnswerLine:
        if at not in full:
            bare = lines[at]
            full[at] = lines[at] = AnswerLine(
                turn=bare.turn, seat=bare.seat, move=bare.move, wall_us=bare.wall_us, cpu_us=bare.cpu_us,
                charged_us=bare.charged_us, waited_us=bare.waited_us, kibitz=[], chance=[], notes=[],
            )  # fmt: skip
        return full[at]

    answers = len(lines)
    for at, text in kibitz:
        if at < answers:
            line(at).kibitz.append(text)
    for at, outcome in some["chance"]:
        line(at).chance.append(outcome)
    for at, text in some["notes"]:
        line(at).notes.append(text)
    for at, message in some["messages"]:
        line(at).message = message
    for at, left_us in some["left_us"]:
        line(at).left_us = left_us
    for (at,) in some["restarts"]:
        line(at).started = True
    for at, _, kind, detail, said, said_bytes, stderr, exit_code, memory in some["faults"]:
        line(at).fault = FaultInfo(
            kind=kind,
            detail=detail,
            said=said,
            said_bytes=said_bytes,
            stderr=stderr,
            exit_code=exit_code,
            memory=memory,
        )
