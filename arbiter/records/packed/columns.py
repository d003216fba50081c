"""Rows of an archive in memory, as the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arbiter.records.packed.answer import PackedAnswer
from arbiter.records.packed.game_row import game_row
from arbiter.records.packed.schema import ANSWERS, COLUMNS, SOME_ANSWERS, schema

NO_LOGS: Mapping[str, bytes] = {}
Numbers = npt.NDArray[np.int64]


class Rows:
    """Rows of an archive, added one record at a time."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {name: [] for name in COLUMNS if name not in (*ANSWERS, *SOME_ANSWERS)}
        self._some: dict[str, list[Any]] = {name: [] for name in SOME_ANSWERS}
        self._some_ends: dict[str, list[int]] = {name: [0] for name in SOME_ANSWERS}
        self._answers: list[PackedAnswer] = []
        self._ends = [0]
        self.bytes = 0
        """The size of the records and logs that were added."""

    def __len__(self) -> int:
        return len(self._ends) - 1

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
        for column, values in self._columns.items():
            values.append(row.get(column))
        for column, entries in self._some.items():
            entries.extend(row.get(column, ()))
            self._some_ends[column].append(len(entries))
        self._answers += answers
        self._ends.append(len(self._answers))
        self.bytes += len(data) + sum(map(len, logs.values()))
        return True

    def table(self) -> pa.Table:
        """Return the rows as a table."""
        arrays: dict[str, pa.Array] = {name: pa.array(values, COLUMNS[name]) for name, values in self._columns.items()}
        for name, entries in self._some.items():
            arrays[name] = _lists(self._some_ends[name], _entries(entries, COLUMNS[name].value_type))
        for name, values in _answer_columns(self._answers).items():
            arrays[name] = _lists(self._ends, pa.array(values, COLUMNS[name].value_type))
        return pa.table([arrays[name] for name in COLUMNS], schema=schema())


def _lists(ends: Sequence[int], values: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), values)


def _entries(entries: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return entries, tuples for a structured type, as one array."""
    if not pa.types.is_struct(kind):
        return pa.array(entries, kind)
    fields = list(zip(*entries, strict=True)) or [()] * kind.num_fields
    arrays = [pa.array(values, field.type) for values, field in zip(fields, kind, strict=True)]
    return pa.StructArray.from_arrays(arrays, fields=list(kind))


def _answer_columns(answers: Sequence[PackedAnswer]) -> dict[str, Any]:
    cpu = np.array([line.cpu_us for line in answers], np.int64)
    waited = np.array([line.waited_us for line in answers], np.int64)
    idle = np.array([line.wall_us for line in answers], np.int64) - cpu - waited
    charged = np.array([line.charged_us for line in answers], np.int64)
    return {
        "turn": np.array([line.turn for line in answers], np.int32),
        "seat": np.array([line.seat for line in answers], np.int8),
        "move": [line.move for line in answers],
        "cpu_us": cpu,
        "waited_us": waited,
        "idle_us": idle,
        "extra_us": charged - usual_charge(cpu, waited, idle),
    }


def usual_charge(cpu: Numbers, waited: Numbers, idle: Numbers) -> Numbers:
    """Return what the fair clock charges for an answer, if nothing but run-queue wait is taken off the wall time."""
    charged: Numbers = cpu + waited + idle - np.clip(np.minimum(waited + idle, waited), 0, None)
    return charged
