"""The wire format: what agents are sent, byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .chart import Chart
    from .state import State

NONE = "x"
"""Stands for an empty list."""


def first_block(chart: Chart, seat: int) -> str:
    """Write what a seat is sent once: its number, the map and the towns."""
    lines = [str(seat), str(chart.width), str(chart.height)]
    lines += [f"{region} {kind}" for region, kind in zip(chart.region, chart.terrain, strict=True)]
    lines.append(str(len(chart.towns)))
    for number, town in enumerate(chart.towns):
        lines.append(f"{number} {town.x} {town.y} {','.join(map(str, town.wishes)) or NONE}")
    return "\n".join(lines) + "\n"


class CellLines:
    """The lines for the cells, shared by both seats: kept from turn to turn, rewritten where they change."""

    def __init__(self, state: State) -> None:
        self._lines = [""] * len(state.world.neighbours)
        self._text = ""
        self.rewrite(state, range(len(self._lines)))

    def rewrite(self, state: State, cells: Iterable[int]) -> None:
        """Update the lines of these cells."""
        owner, region, shown = state.network.owner, state.world.chart.region, state.shown
        lines = self._lines
        for cell in cells:
            here = region[cell]
            lines[cell] = f"{owner[cell]} {state.instability[here]} {state.inked[here]} {shown.get(cell, NONE)}\n"
        self._text = "".join(lines)

    def block(self, mine: int, other: int) -> str:
        """Return the block for a turn, for a seat with these scores."""
        return f"{mine}\n{other}\n{self._text}"
