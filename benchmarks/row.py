"""A line of the table: a figure, the floor it is compared with, and what it should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tabulate import tabulate

from arbiter.bench.compare import Compared

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement."""

    what: str
    figure: float
    unit: str
    floor: float | None = None
    """What the machine does at best, measured in the same run; in the same unit."""
    ratio: float | None = None
    """Of the figure to the floor."""
    most: float | None = None
    """What the ratio should not exceed; the figure, where there is no floor."""
    least: float | None = None
    """What it should reach."""
    aim_for_figure: bool = False
    """The aim is for the figure though there is a floor."""

    @property
    def met(self) -> bool | None:
        """Whether it is as it should be; None if nothing is asked of it."""
        if self.most is None and self.least is None:
            return None
        value = self.figure if self.ratio is None or self.aim_for_figure else self.ratio
        return (self.most is None or value <= self.most) and (self.least is None or value >= self.least)

    @property
    def aim(self) -> str:
        """In words."""
        if self.most is not None and self.most == self.least:
            return f"= {self.most:g}"
        if self.most is not None:
            return f"≤ {self.most:g}"
        return f"≥ {self.least:g}" if self.least is not None else ""


def compared(what: str, found: Compared, unit: str, most: float | None = None) -> Row:
    """The row of two costs that were measured in turn."""
    return Row(what, found.cost, unit, found.floor, found.ratio, most=most)


def table(rows: Sequence[Row]) -> str:
    """For people."""
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
    align = ["left", "right", "right", "right", "left", "left"]
    return tabulate(cells, ["what", "figure", "floor", "ratio", "aim", "met"], colalign=align, disable_numparse=True)


def as_json(row: Row) -> Json:
    """For programs."""
    return {**asdict(row), "met": row.met}


def _shown(value: float, unit: str) -> str:
    digits = 0 if value >= 100 or float(value).is_integer() else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}".rstrip()
