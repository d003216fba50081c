"""The map: terrain, regions and towns, none of which ever changes during a game."""

from __future__ import annotations

from dataclasses import dataclass

PLAIN, RIVER, MOUNTAIN, PLACE_OF_INTEREST = range(4)

PAINT_COST = (1, 2, 3, 3)
"""By terrain: what a track costs there."""

COMPASS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west, as (dx, dy): wherever the rules look around, they look in this order."""


@dataclass(frozen=True, slots=True)
class Town:
    """A town; its id is its place in the chart's list."""

    x: int
    y: int
    wishes: tuple[int, ...]
    """Ids of the towns it wants a connection to, ascending."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A map as it is written down. Cells are numbered row by row from the top left."""

    width: int
    height: int
    terrain: tuple[int, ...]
    region: tuple[int, ...]
    """By cell: the id of its region. Ids run from 0 without a gap."""
    towns: tuple[Town, ...]

    def cell(self, x: int, y: int) -> int | None:
        """The number of a cell, or None off the map."""
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else None

    def place(self, cell: int) -> tuple[int, int]:
        """The (x, y) of a cell."""
        y, x = divmod(cell, self.width)
        return x, y


@dataclass(frozen=True, slots=True)
class Wish:
    """One connection that a town wants."""

    source: int
    target: int
    name: str
    """As agents read it: ``3-7``."""
    start: int
    """The cell of the wishing town."""
    goal: int


@dataclass(frozen=True, slots=True)
class World:
    """A chart and what the engine looks up in it all the time."""

    chart: Chart
    neighbours: tuple[tuple[int, ...], ...]
    """By cell: the cells beside it, in compass order."""
    town_at: dict[int, int]
    """By cell: the id of the town on it."""
    region_cells: tuple[tuple[int, ...], ...]
    safe_regions: frozenset[int]
    """Regions with a town: they cannot be disrupted."""
    wishes: tuple[Wish, ...]
    """In the order in which their names sort as texts: ``10-2`` before ``2-3``."""
    places: tuple[int, ...]
    """The cells that are places of interest."""


def neighbour_table(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """For every cell of a grid the cells beside it, in compass order."""
    return tuple(
        tuple(
            (y + dy) * width + x + dx for dx, dy in COMPASS if 0 <= x + dx < width and 0 <= y + dy < height
        )
        for y in range(height)
        for x in range(width)
    )  # fmt: skip


def build_world(chart: Chart) -> World:
    """Everything the engine wants to know about a sound chart."""
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
