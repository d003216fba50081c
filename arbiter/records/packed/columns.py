"""Rows of an archive in memory, as the columns of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from arbiter.records.packed.answers import Answers, joined
from arbiter.records.packed.arrays import Numbers
from arbiter.records.packed.game_row import game_rows
from arbiter.records.packed.headers import Headers
from arbiter.records.packed.restore import UNFIT, records
from arbiter.records.packed.schema import ANSWERS, COLUMNS, SOME_ANSWERS, schema
from arbiter.records.packed.times import usual_charge
from arbiter.records.packed.values import Row

NO_LOGS: Mapping[str, bytes] = {}
_AT_ONCE = 1 << 20
"""Bytes of records that are read together: enough to be worthwhile, few enough to stay in the processor's cache."""


class RecordFiles(NamedTuple):
    """A record and its logs, to be packed."""

    name: str
    """The file name."""
    record: bytes
    modified_ms: int
    logs: Mapping[str, bytes]
    """By column."""


class Rows:
    """Rows of an archive, added one record at a time."""

    def __init__(self, *, any_bytes: bool = True) -> None:
        """``any_bytes``: whether to take records whose facts do not fit the columns; otherwise they are :attr:`refused`."""
        self.refused: list[RecordFiles] = []
        self._any_bytes = any_bytes
        self._headers = Headers()
        self._rows: list[Row] = []
        self._records: list[bytes] = []
        self._answers: list[Answers] = []
        self._waiting: list[RecordFiles] = []
        self._waiting_bytes = 0

    def add(self, name: str, data: bytes, modified_ms: int = 0, logs: Mapping[str, bytes] = NO_LOGS) -> None:
        """Add the record ``data`` of the file ``name``, with its logs by column."""
        self._waiting.append(RecordFiles(name, data, modified_ms, logs))
        self._waiting_bytes += len(data)
        if self._waiting_bytes >= _AT_ONCE:
            self._read()

    def _read(self) -> None:
        """Turn the waiting records into rows."""
        games, self._waiting, self._waiting_bytes = self._waiting, [], 0
        rows, answers = game_rows([game.record for game in games], self._headers)
        fits = np.array([self._any_bytes or "agents" in row for row in rows], np.bool_)
        for game, row, taken in zip(games, rows, fits, strict=True):
            if taken:
                row |= {"name": game.name, "modified": game.modified_ms, **game.logs}
                self._rows.append(row)
                self._records.append(game.record)
            else:
                self.refused.append(game)
        self._answers.append(answers._replace(counts=answers.counts[fits]))  # those refused have no answers

    def table(self) -> pa.Table:
        """Return the rows as a table from which every record can be restored byte for byte.

        Every record is restored and compared; if it differs, its row also holds the bytes.
        """
        table = self.facts()
        differing = _differing(table, self._records)
        if not differing:
            return table
        for row in differing:
            self._rows[row]["exact"] = self._records[row]
        at = table.schema.get_field_index("exact")
        return table.set_column(at, schema().field("exact"), self._column("exact"))

    def facts(self) -> pa.Table:
        """Return the rows as a table for queries; records cannot always be restored from it exactly."""
        self._read()
        arrays = {name: self._column(name) for name in COLUMNS if name not in ANSWERS}
        answers = joined(self._answers)
        ends = np.cumsum([0, *answers.counts])
        for name, values in _answer_columns(answers).items():
            arrays[name] = _lists(ends, pa.array(values, COLUMNS[name].value_type))
        return pa.table([arrays[name] for name in COLUMNS], schema=schema())

    def _column(self, name: str) -> pa.Array:
        values = [row.get(name) for row in self._rows]
        if name not in SOME_ANSWERS:
            return pa.array(values, COLUMNS[name])
        entries = [entry for own in values if own for entry in own]
        ends = [0, *accumulate([len(own) if own else 0 for own in values])]
        return _lists(ends, _entries(entries, COLUMNS[name].value_type))


def _differing(table: pa.Table, wanted: Sequence[bytes]) -> list[int]:
    """Return the rows from which the record is not restored exactly."""
    try:
        return [row for row, (made, data) in enumerate(zip(records(table), wanted, strict=True)) if made != data]
    except UNFIT:  # one of them has inconsistent columns: try each alone
        return [row for row, data in enumerate(wanted) if list(_made(table.slice(row, 1))) != [data]]


def _made(table: pa.Table) -> Iterator[bytes]:
    try:
        yield from records(table)
    except UNFIT:
        return


def _lists(ends: Sequence[int] | Numbers, values: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values)


def _entries(entries: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return entries as one array; those of a structured type are tuples."""
    if not pa.types.is_struct(kind):
        return pa.array(entries, kind)
    fields = list(zip(*entries, strict=True)) or [()] * kind.num_fields
    arrays = [pa.array(values, field.type) for values, field in zip(fields, kind, strict=True)]
    return pa.StructArray.from_arrays(arrays, fields=list(kind))


def _answer_columns(answers: Answers) -> dict[str, Any]:
    cpu, waited = answers.cpu_us, answers.waited_us
    idle = answers.wall_us - cpu - waited
    return {
        "turn": answers.turn.astype(np.int32),
        "seat": answers.seat.astype(np.int8),
        "move": answers.move,
        "cpu_us": cpu,
        "waited_us": waited,
        "idle_us": idle,
        "extra_us": answers.charged_us - usual_charge(cpu, waited, idle),
    }
