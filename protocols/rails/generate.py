"""Random maps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .chart import PLACE_OF_INTEREST, Chart
from .regions import found_towns, grow_regions, make_wishes, mark_places, name_towns
from .terrain import shape_terrain

if TYPE_CHECKING:
    from arbiter.game import Chance

SMALLEST, LARGEST = 14, 20
"""The heights of random maps."""


def width_for(height: int) -> int:
    """Return one and a half times the height, rounded up."""
    return (3 * height + 1) // 2


def generate(chance: Chance, height: int = 0, places_of_interest: bool = True) -> Chart:
    """Generate a map; height 0 leaves the size to chance."""
    height = height or SMALLEST + chance.below(LARGEST - SMALLEST + 1)
    width = width_for(height)
    towns = None
    while towns is None:
        terrain = shape_terrain(width, height, chance)
        region = grow_regions(width, height, chance)
        towns = found_towns(width, height, terrain, region, chance)
    wishes = make_wishes(len(towns), chance)
    if places_of_interest:
        for cell in mark_places(width, height, terrain, towns, chance):
            terrain[cell] = PLACE_OF_INTEREST
    return Chart(width, height, tuple(terrain), tuple(region), name_towns(towns, wishes, width))
