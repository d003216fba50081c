"""The map: terrain, regions and towns, which never change during a game."""

from __future__ import annotations

import functools
from dataclasses import dataclass

PLAIN, RIVER, MOUNTAIN, PLACE_OF_INTEREST = range(4)

PAINT_COST = (1, 2, 3, 3)
"""By terrain: the paint that a track costs."""

COMPASS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west, as (dx, dy): the order in which the rules visit neighbours."""


@dataclass(frozen=True, slots=True)
class Town:
    """A town; its id is its index in the chart's list."""

    x: int
    y: int
    wishes: tuple[int, ...]
    """Ids of the towns it wants a connection to, ascending."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A map. Cells are numbered row by row from the top left."""

    width: int
    height: int
    terrain: tuple[int, ...]
    region: tuple[int, ...]
    """By cell: the id of its region. Ids run from 0 without a gap."""
    towns: tuple[Town, ...]

    def cell(self, x: int, y: int) -> int | None:
        """Return the number of a cell, or None off the map."""
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else None

    def place(self, cell: int) -> tuple[int, int]:
        """Return the (x, y) of a cell."""
        y, x = divmod(cell, self.width)
        return x, y


@dataclass(frozen=True, slots=True)
class Wish:
    """A connection that a town wants; the contest calls it a *desired connection*."""

    source: int
    target: int
    name: str
    """As agents read it: ``3-7``."""
    start: int
    """The cell of the wishing town."""
    goal: int


@dataclass(frozen=True, slots=True)
class World:
    """A chart with the lookup tables that the engine needs every turn."""

    chart: Chart
    neighbours: tuple[tuple[int, ...], ...]
    """By cell: its neighbours, in compass order."""
    town_at: dict[int, int]
    """By cell: the id of the town on it."""
    region_cells: tuple[tuple[int, ...], ...]
    safe_regions: frozenset[int]
    """Regions with a town: they cannot be disrupted."""
    wishes: tuple[Wish, ...]
    """Sorted by name as strings: ``10-2`` before ``2-3``."""
    places: tuple[int, ...]
    """The cells that are places of interest."""


@functools.lru_cache(maxsize=16)  # the same for all games of a size
def neighbour_table(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """Return, for every cell of a grid, its neighbours in compass order."""
    return tuple(
        tuple(
            (y + dy) * width + x + dx for dx, dy in COMPASS if 0 <= x + dx < width and 0 <= y + dy < height
        )
        for y in range(height)
        for x in range(width)
    )  # fmt: skip


def build_world(chart: Chart) -> World:
    """Compute the lookup tables of a valid chart."""
    town_cells = [town.y * chart.width + town.x for town in chart.towns]
    region_cells: list[list[int]] = [[] for _ in range(max(chart.region) + 1)]
    for cell, region in enumerate(chart.region):
        region_cells[region].append(cell)
    wishes = [
        Wish(source, target, f"{source}-{target}", town_cells[source], town_cells[target])
        for source, town in enumerate(chart.towns)
        for target in town.wishes
    ]
    return World(
        chart=chart,
        neighbours=neighbour_table(chart.width, chart.height),
        town_at={cell: town for town, cell in enumerate(town_cells)},
        region_cells=tuple(map(tuple, region_cells)),
        safe_regions=frozenset(chart.region[cell] for cell in town_cells),
        wishes=tuple(sorted(wishes, key=lambda wish: wish.name)),
        places=tuple(cell for cell, kind in enumerate(chart.terrain) if kind == PLACE_OF_INTEREST),
    )
