"""Random maps, part two: regions, towns and places of interest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .chart import PLAIN, RIVER, Town, neighbour_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arbiter.game import Chance

TOWN_DISTANCE = 4
PLACE_DISTANCE = 4
PLACE_MARGIN = 3
FEWEST_WISHES = 3
UNWISHED = 4
TOWN_ROUNDS = 40


def region_count(width: int, height: int) -> int:
    """Return the number of regions of a random map."""
    return (width * height) // (height // 2)


def town_count(width: int, height: int) -> int:
    """Return the number of towns of a random map."""
    return max(4, width * height // 50)


def region_seeds(width: int, height: int, count: int) -> list[int]:
    """Return ``count`` different cells, spread over the map as a grid."""
    rows = max(1, round((count * height / width) ** 0.5))
    seeds: list[int] = []
    for row in range(rows):
        here = count * (row + 1) // rows - count * row // rows
        y = (2 * row + 1) * height // (2 * rows)
        seeds.extend(y * width + (2 * column + 1) * width // (2 * here) for column in range(here))
    return seeds


def grow_regions(width: int, height: int, chance: Chance) -> list[int]:
    """Return the region of each cell. The regions take turns to claim a random free neighbour until none is left."""
    neighbours = neighbour_table(width, height)
    seeds = region_seeds(width, height, region_count(width, height))
    region = [-1] * (width * height)
    for number, seed in enumerate(seeds):
        region[seed] = number
    fringes = [list(neighbours[seed]) for seed in seeds]
    while any(fringes):
        for number, fringe in enumerate(fringes):
            while fringe:
                cell = fringe.pop(chance.below(len(fringe)))
                if region[cell] < 0:
                    region[cell] = number
                    fringe.extend(near for near in neighbours[cell] if region[near] < 0)
                    break
    return region


def bordering(region: Sequence[int], neighbours: Sequence[Iterable[int]]) -> list[set[int]]:
    """Return, for each region, the regions that share a border with it."""
    borders: list[set[int]] = [set() for _ in range(max(region) + 1)]
    for cell, near_cells in enumerate(neighbours):
        here = region[cell]
        for near in near_cells:
            if region[near] != here:
                borders[here].add(region[near])
    return borders


def found_towns(
    width: int, height: int, terrain: Sequence[int], region: Sequence[int], chance: Chance
) -> list[int] | None:
    """Return the cells of the towns, or None if no attempt found room for all of them."""
    borders = bordering(region, neighbour_table(width, height))
    sites: list[list[int]] = [[] for _ in borders]
    for cell, kind in enumerate(terrain):
        y, x = divmod(cell, width)
        if kind == PLAIN and 0 < x < width - 1 and 0 < y < height - 1:
            sites[region[cell]].append(cell)
    wanted = town_count(width, height)
    for _ in range(TOWN_ROUNDS):
        towns: list[int] = []
        barred: set[int] = set()
        for number in chance.shuffled(range(len(borders))):
            free = [] if number in barred else [c for c in sites[number] if far(c, towns, TOWN_DISTANCE, width)]
            if free:
                towns.append(chance.choice(free))
                barred |= borders[number]
            if len(towns) == wanted:
                return towns
    return None


def far(cell: int, others: Iterable[int], distance: int, width: int) -> bool:
    """Whether a cell is at least this far (Manhattan distance) from all the others."""
    y, x = divmod(cell, width)
    return all(abs(x - other % width) + abs(y - other // width) >= distance for other in others)


def make_wishes(count: int, chance: Chance) -> list[tuple[int, ...]]:
    """Return, by town, the towns it wishes for, ascending; never both ways between two towns.

    A town ends up without wishes only if all others already wish for it.
    """
    wishes: list[tuple[int, ...]] = [()] * count
    for town in chance.shuffled(range(count)):
        open_to_it = [other for other in range(count) if other != town and town not in wishes[other]]
        most = max(FEWEST_WISHES, count - 1 - UNWISHED)
        number = FEWEST_WISHES + chance.below(most - FEWEST_WISHES + 1)
        wishes[town] = tuple(sorted(chance.shuffled(open_to_it)[:number]))
    return wishes


def mark_places(width: int, height: int, terrain: Sequence[int], towns: Sequence[int], chance: Chance) -> list[int]:
    """Choose cells for two to four places of interest: near an edge, not on a river, away from towns."""
    sites = [
        cell
        for cell, kind in enumerate(terrain)
        if kind != RIVER
        and min(cell % width, width - 1 - cell % width, cell // width, height - 1 - cell // width) < PLACE_MARGIN
        and far(cell, towns, PLACE_DISTANCE, width)
    ]
    return chance.shuffled(sites)[: 2 + chance.below(3)]


def name_towns(cells: Sequence[int], wishes: Sequence[tuple[int, ...]], width: int) -> tuple[Town, ...]:
    """Combine the cells and the wishes of the towns."""
    return tuple(Town(cell % width, cell // width, wanted) for cell, wanted in zip(cells, wishes, strict=True))
