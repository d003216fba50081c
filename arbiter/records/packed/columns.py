"""Rows of an archive in memory, as the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from arbiter.records.format import AnswerLine
from arbiter.records.packed.game_row import game_row
from arbiter.records.packed.schema import ANSWERS, COLUMNS, SOME_ANSWERS, schema

Numbers = npt.NDArray[np.int64]


class Rows:
    """Rows of an archive, added one record at a time."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {name: [] for name in COLUMNS if name not in (*ANSWERS, *SOME_ANSWERS)}
        self._some: dict[str, list[Any]] = {name: [] for name in SOME_ANSWERS}
        self._some_ends: dict[str, list[int]] = {name: [0] for name in SOME_ANSWERS}
        self._answers: list[AnswerLine] = []
        self._ends = [0]
        self.bytes = 0
        """The size of the records that were added."""

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(
        self, name: str, data: bytes, modified_ms: int = 0, log: bytes | None = None, *, any_bytes: bool = True
    ) -> bool:
        """Add the record ``data`` of the file ``name``, with the log of its agents' standard error.

        Without ``any_bytes``, returns False instead if the facts about the game do not fit the columns.
        """
        row, answers = game_row(data)
        if not any_bytes and "agents" not in row:
            return False
        row |= {"name": name, "modified": modified_ms, "stderr_log": log}
        for column, values in self._columns.items():
            values.append(row.get(column))
        for column, entries in self._some.items():
            entries.extend(row.get(column, ()))
            self._some_ends[column].append(len(entries))
        self._answers += answers
        self._ends.append(len(self._answers))
        self.bytes += len(data)
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


def _answer_columns(answers: Sequence[AnswerLine]) -> dict[str, Any]:
    wall = np.array([line.wall_us for line in answers], np.int64)
    off_cpu = wall - np.array([line.cpu_us for line in answers], np.int64)
    waited = np.array([line.waited_us for line in answers], np.int64)
    charged = np.array([line.charged_us for line in answers], np.int64)
    return {
        "turn": [line.turn for line in answers],
        "seat": [line.seat for line in answers],
        "move": [line.move for line in answers],
        "wall_us": wall,
        "off_cpu_us": off_cpu,
        "waited_us": waited,
        "extra_us": charged - usual_charge(wall, off_cpu, waited),
    }


def usual_charge(wall: Numbers, off_cpu: Numbers, waited: Numbers) -> Numbers:
    """Return what the fair clock charges for an answer, if nothing but run-queue wait is taken off."""
    charged: Numbers = wall - np.clip(np.minimum(off_cpu, waited), 0, None)
    return charged
