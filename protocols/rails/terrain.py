"""Random maps, part one: mountains and rivers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .chart import COMPASS, MOUNTAIN, PLAIN, RIVER, neighbour_table

if TYPE_CHECKING:
    from arbiter.game import Chance

MOUNTAIN_SHARE = 0.04
RIVER_SHARE = 0.07
SHORTEST_RIVER = 3
SPLIT_ONE_IN = 6
SPRINGS_TRIED = 200
"""Attempts at border springs; a map full of mountains may end up with less water than wanted."""


def shape_terrain(width: int, height: int, chance: Chance) -> list[int]:
    """Return the terrain of a random map, row by row: plain with mountains and rivers."""
    terrain = [PLAIN] * (width * height)
    raise_mountains(terrain, neighbour_table(width, height), chance)
    Rivers(terrain, width, height, chance).run()
    return terrain


def raise_mountains(terrain: list[int], neighbours: tuple[tuple[int, ...], ...], chance: Chance) -> None:
    """Turn some plain into blobs of mountain."""
    blobs = max(2, int(chance.fraction() * MOUNTAIN_SHARE * len(terrain) + 0.5))
    for _ in range(blobs):
        peak = chance.choice([cell for cell, kind in enumerate(terrain) if kind == PLAIN])
        terrain[peak] = MOUNTAIN
        slopes = list(neighbours[peak])
        more = 2 + chance.below(6)
        while more and slopes:
            cell = slopes.pop(chance.below(len(slopes)))
            if terrain[cell] == PLAIN:
                terrain[cell] = MOUNTAIN
                slopes.extend(neighbours[cell])
                more -= 1


class Rivers:
    """Rivers on a map: each is a random walk that turns, splits and ends at an edge."""

    def __init__(self, terrain: list[int], width: int, height: int, chance: Chance) -> None:
        self.terrain = terrain
        self.width = width
        self.height = height
        self.chance = chance
        self.neighbours = neighbour_table(width, height)
        self.wanted = int(RIVER_SHARE * width * height + 0.5)
        self.wet = 0

    def run(self) -> None:
        """Add rivers until the map is wet enough: the first from the middle, the others from the edge."""
        self._river(self._middle(), self.chance.below(4))
        for _ in range(SPRINGS_TRIED):
            if self.wet >= self.wanted:
                return
            heading = self.chance.below(4)
            spring = self._border_cell(heading)
            if self._can_flood(spring, came_from=-1):
                self._river(spring, heading)

    def _middle(self) -> int:
        """Return the plain cell nearest to the middle."""
        x0, y0 = self.width // 2, self.height // 2

        def distance(cell: int) -> int:
            return abs(cell % self.width - x0) + abs(cell // self.width - y0)

        return min((cell for cell, kind in enumerate(self.terrain) if kind == PLAIN), key=distance)

    def _border_cell(self, heading: int) -> int:
        """Return a random cell of the edge from which a river with this heading flows into the map."""
        dx, dy = COMPASS[heading]
        if dx:
            return self.chance.below(self.height) * self.width + (0 if dx > 0 else self.width - 1)
        return (0 if dy > 0 else (self.height - 1) * self.width) + self.chance.below(self.width)

    def _river(self, spring: int, heading: int) -> None:
        river = [spring]
        self.terrain[spring] = RIVER
        heads = [(spring, heading)]
        longest = max(SHORTEST_RIVER, min(self.wanted - self.wet, self.wanted // 2))
        while heads and len(river) < longest:
            cell, heading = heads.pop(0)
            arms = 2 if len(river) > 1 and self.chance.below(SPLIT_ONE_IN) == 0 else 1
            for onward_heading in self._headings(heading):
                onward = self._beside(cell, onward_heading)
                if arms and onward is not None and self._can_flood(onward, cell):
                    arms -= 1
                    self.terrain[onward] = RIVER
                    river.append(onward)
                    if len(self.neighbours[onward]) == len(COMPASS):
                        heads.append((onward, onward_heading))
        if len(river) < SHORTEST_RIVER:
            for cell in river:
                self.terrain[cell] = PLAIN
        else:
            self.wet += len(river)

    def _headings(self, heading: int) -> list[int]:
        """Return ahead, left and right in the order to try, ahead being the likeliest to come first."""
        turns = self.chance.shuffled([(heading + 3) % 4, (heading + 1) % 4])
        turns.insert(0 if self.chance.below(5) < 3 else 1, heading)
        return turns

    def _beside(self, cell: int, heading: int) -> int | None:
        y, x = divmod(cell, self.width)
        x, y = x + COMPASS[heading][0], y + COMPASS[heading][1]
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else None

    def _can_flood(self, cell: int, came_from: int) -> bool:
        """Whether a river may flow here: over plain, and not next to any water except the cell it comes from."""
        return self.terrain[cell] == PLAIN and not any(
            self.terrain[near] == RIVER for near in self.neighbours[cell] if near != came_from
        )
