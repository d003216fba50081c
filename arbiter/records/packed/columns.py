"""Rows of an archive in memory, as the columns of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import attrgetter
from typing import Any

import numpy as np
import pyarrow as pa

from arbiter.records.packed.game_row import Row, game_row
from arbiter.records.packed.lines import PackedAnswer, PlainAnswer
from arbiter.records.packed.restore import UNFIT, records
from arbiter.records.packed.schema import ANSWERS, COLUMNS, SOME_ANSWERS, schema
from arbiter.records.packed.times import usual_charge

NO_LOGS: Mapping[str, bytes] = {}


class Rows:
    """Rows of an archive, added one record at a time."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._answers: list[PlainAnswer | PackedAnswer] = []
        self._ends = [0]
        self._records: list[bytes] = []

    def __len__(self) -> int:
        return len(self._records)

    def add(
        self,
        name: str,
        data: bytes,
        modified_ms: int = 0,
        logs: Mapping[str, bytes] = NO_LOGS,
        *,
        any_bytes: bool = True,
    ) -> bool:
        """Add the record ``data`` of the file ``name``, with its logs by column.

        Without ``any_bytes``, returns False instead if the facts about the game do not fit the columns.
        """
        row, answers = game_row(data)
        if not any_bytes and "agents" not in row:
            return False
        row |= {"name": name, "modified": modified_ms, **logs}
        self._rows.append(row)
        self._answers += answers
        self._ends.append(len(self._answers))
        self._records.append(data)
        return True

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
        arrays = {name: self._column(name) for name in COLUMNS if name not in ANSWERS}
        for name, values in _answer_columns(self._answers).items():
            arrays[name] = _lists(self._ends, pa.array(values, COLUMNS[name].value_type))
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


def _lists(ends: Sequence[int], values: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values)


def _entries(entries: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return entries, tuples for a structured type, as one array."""
    if not pa.types.is_struct(kind):
        return pa.array(entries, kind)
    fields = list(zip(*entries, strict=True)) or [()] * kind.num_fields
    arrays = [pa.array(values, field.type) for values, field in zip(fields, kind, strict=True)]
    return pa.StructArray.from_arrays(arrays, fields=list(kind))


def _answer_columns(answers: Sequence[PlainAnswer | PackedAnswer]) -> dict[str, Any]:
    def column(name: str, kind: type[np.generic]) -> Any:
        return np.fromiter(map(attrgetter(name), answers), kind, len(answers))

    wall, cpu, waited, charged = (column(f"{name}_us", np.int64) for name in ("wall", "cpu", "waited", "charged"))
    idle = wall - cpu - waited
    return {
        "turn": column("turn", np.int32),
        "seat": column("seat", np.int8),
        "move": [line.move for line in answers],
        "cpu_us": cpu,
        "waited_us": waited,
        "idle_us": idle,
        "extra_us": charged - usual_charge(cpu, waited, idle),
    }
