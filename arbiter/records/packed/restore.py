"""Restores the bytes of records from columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from arbiter.records.format import AnswerLine, FaultInfo
from arbiter.records.packed import shapes, templates
from arbiter.records.packed.arrays import whole
from arbiter.records.packed.lines import PlainAnswer
from arbiter.records.packed.schema import ANSWERS, SOME_ANSWERS, TIMES
from arbiter.records.packed.times import usual_charge
from arbiter.records.packed.values import number_text, value_text

_encode_lines = msgspec.json.Encoder().encode_lines

_AS_THEY_ARE = ("header", "setup_shape", "result", "result_numbers", "annulled", "exact", "kibitz")

UNFIT = (pa.ArrowException, ValueError, LookupError, TypeError, AttributeError, OverflowError)
"""Exceptions raised by inconsistent columns."""

Some = dict[str, Sequence[tuple[Any, ...]]]
"""The entries of columns that only some answers have."""


def records(table: pa.Table) -> Iterator[bytes]:
    """Yield the record of each row. Raises ValueError if the columns do not fit together."""
    columns = {name: _values(whole(table.column(name))) for name in _AS_THEY_ARE}
    setup_numbers = _number_texts(whole(table.column("setup_numbers")))
    texts = _texts(table)
    ends, answers = _answers(table)
    some = {name: _entries(whole(table.column(name))) for name in SOME_ANSWERS}
    more = _with_more(table)
    for number, exact in enumerate(columns["exact"]):
        if exact is not None:
            yield exact
            continue
        lines: list[PlainAnswer | AnswerLine] = list(answers[ends[number] : ends[number + 1]])
        if more[number]:
            own: Some = {name: entries[starts[number] : starts[number + 1]] for name, (starts, entries) in some.items()}
            kibitz = _kibitz(columns["kibitz"][number], own["kibitz_at"])
            _add_some(lines, own, kibitz)
            texts["afterwards"][number] = _afterwards(kibitz, len(lines))
        texts["setup"][number] = shapes.fill(columns["setup_shape"][number], setup_numbers[number])
        header = templates.fill(columns["header"][number], texts, number)
        result = shapes.fill(
            templates.fill(columns["result"][number], texts, number),
            list(map(str, accumulate(columns["result_numbers"][number]))),
        )
        annulled = columns["annulled"][number]
        ending = f"{result}\n" if annulled is None else f"{result}\n{annulled}\n"
        yield header.encode() + b"\n" + _encode_lines(lines) + ending.encode()


def _with_more(table: pa.Table) -> list[bool]:
    """Return for each row whether it has more than moves and times in its answers, or kibitz after them."""
    found = whole(table.column("kibitz")).is_valid().to_numpy(zero_copy_only=False)
    for name in SOME_ANSWERS:
        found = found | (np.diff(whole(table.column(name)).offsets.to_numpy()) > 0)
    return list(found.tolist())


def _texts(table: pa.Table) -> dict[str, list[str]]:
    """Return the texts of the values in a line that are in other columns: for every row, by key."""
    values = {key: whole(table.column(key)) for key in table.column_names}
    return {
        **{key: _moments(values[key]) for key in ("started", "ended")},
        **{key: list(map(number_text, _values(values[key]))) for key in ("version", "game", "seed", "deal_seed")},
        **{key: _words(values[key], value_text) for key in ("protocol", "contest", "stage", "reason")},
        **{key: list(map(value_text, _values(values[key]))) for key in ("ranks", "scores")},
        "digest": [f'"sha256:{digest.hex()}"' if digest else "" for digest in values["digest"].to_pylist()],
        **{key: ["{}"] * table.num_rows for key in ("setup", "afterwards")},  # which depend on several columns
    }


def _values(column: pa.Array) -> list[Any]:
    if pa.types.is_list(column.type) and not column.null_count:
        starts, flat = _flat(column)
        values = _values(flat)
        return [values[start:end] for start, end in pairwise(starts)]
    if pa.types.is_string(column.type):
        return _words(column, lambda word: word)
    if (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)) and not column.null_count:
        return list(column.to_numpy().tolist())
    return list(column.to_pylist())


def _words(column: pa.Array, made: Callable[[Any], Any]) -> list[Any]:
    """Apply a function to each value, once per distinct value, since most values repeat."""
    encoded = column.dictionary_encode()
    words = [*map(made, encoded.dictionary.to_pylist()), None]
    return list(map(words.__getitem__, encoded.indices.fill_null(len(words) - 1).to_numpy().tolist()))


def _number_texts(column: pa.ListArray) -> list[list[str]]:
    """Return the numbers of each row as text; none for a null."""
    if column.null_count:
        return [list(map(str, own or ())) for own in column.to_pylist()]
    starts, flat = _flat(column)
    texts = _words(flat, str)
    return [texts[start:end] for start, end in pairwise(starts)]


def _moments(column: pa.TimestampArray) -> list[str]:
    """Return times as values in a line; the text for a null does not matter."""
    times = column.cast(pa.int64()).fill_null(0).to_numpy().astype("datetime64[ms]")
    return [f'"{text}Z"' for text in np.datetime_as_string(times, unit="ms").tolist()]


def _flat(column: pa.ListArray) -> tuple[list[int], pa.Array]:
    """Return where the list of each row starts, followed by the end of the last one, and the elements of all lists."""
    offsets = column.offsets.to_numpy()
    return (offsets - offsets[0]).tolist(), column.flatten()


def _entries(column: pa.ListArray) -> tuple[list[int], list[tuple[Any, ...]]]:
    starts, flat = _flat(column)
    fields = flat.flatten() if pa.types.is_struct(flat.type) else [flat]
    return starts, list(zip(*map(_values, fields), strict=True))


def _answers(table: pa.Table) -> tuple[list[int], list[PlainAnswer]]:
    """Return where the answers of each row start, and the answers of all rows."""
    flat = {name: _flat(whole(table.column(name))) for name in ANSWERS}
    starts = flat["turn"][0]
    if any(found != starts for found, _ in flat.values()):
        raise ValueError("lists of different lengths")
    cpu, waited, idle, extra = (flat[name][1].to_numpy() for name in TIMES)
    charged = usual_charge(cpu, waited, idle) + extra
    turn, seat, move = (_values(flat[name][1]) for name in ("turn", "seat", "move"))
    numbers = [column.tolist() for column in (cpu + waited + idle, cpu, charged, waited)]
    return starts, list(map(PlainAnswer, turn, seat, move, *numbers))


def _kibitz(text: str | None, positions: Sequence[tuple[int]]) -> list[tuple[int, str]]:
    """Return the lines of kibitz, each with the position of its answer. Raises ValueError if they do not fit together."""
    return list(zip([at for (at,) in positions], [] if text is None else text.split("\n"), strict=True))


def _afterwards(kibitz: Sequence[tuple[int, str]], answers: int) -> str:
    """Return the kibitz that arrived after the game, as a value in a line."""
    after: dict[int, list[str]] = {}
    for at, text in kibitz:
        if at >= answers:
            after.setdefault(at - answers, []).append(text)
    return value_text(after) if after else "{}"


def _add_some(lines: list[PlainAnswer | AnswerLine], some: Some, kibitz: Sequence[tuple[int, str]]) -> None:
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
