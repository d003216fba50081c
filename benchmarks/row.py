"""A row of the result: a figure, the floor it is compared with, and its target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arbiter.bench.compare import Compared
from arbiter.text import format_table

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement."""

    what: str
    figure: float
    unit: str
    floor: float | None = None
    """The best this machine can do, measured in the same run, in the same unit."""
    ratio: float | None = None
    """The figure divided by the floor."""
    most: float | None = None
    """Upper bound of the ratio; of the figure if there is no floor."""
    least: float | None = None
    """Lower bound of the ratio; of the figure if there is no floor."""
    aim_for_figure: bool = False
    """Whether the bounds apply to the figure even though there is a floor."""

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None if there is no target."""
        if self.most is None and self.least is None:
            return None
        value = self.figure if self.ratio is None or self.aim_for_figure else self.ratio
        return (self.most is None or value <= self.most) and (self.least is None or value >= self.least)

    @property
    def aim(self) -> str:
        """The target as text."""
        if self.most is not None and self.most == self.least:
            return f"= {self.most:g}"
        if self.most is not None:
            return f"≤ {self.most:g}"
        return f"≥ {self.least:g}" if self.least is not None else ""


def compared(what: str, found: Compared, unit: str, most: float | None = None) -> Row:
    """Make a row from two costs that were measured alternately."""
    return Row(what, found.cost, unit, found.floor, found.ratio, most=most)


def table(rows: Sequence[Row]) -> str:
    """Format the rows as a table."""
    cells = [
        (
            row.what,
            _shown(row.figure, row.unit),
            "" if row.floor is None else _shown(row.floor, row.unit),
            "" if row.ratio is None else f"{row.ratio:.2f}",
            row.aim,
            {None: "", True: "yes", False: "NO"}[row.met],
        )
        for row in rows
    ]
    headers = ["measurement", "figure", "floor", "ratio", "target", "met"]
    return format_table(cells, headers, right=(1, 2, 3))


def as_json(row: Row) -> Json:
    """Return the row as a JSON object."""
    return {**asdict(row), "met": row.met}


def _shown(value: float, unit: str) -> str:
    digits = 0 if value >= 100 or float(value).is_integer() else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}".rstrip()
