"""Tracks and towns as a network: which cells are linked, and along which routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from .chart import World

Route = tuple[int, ...]
"""The cells of an active connection from the wishing town to the wished one, both included."""

NO_TRACK, NEUTRAL = -1, 2
"""Owners of a cell, besides the seats 0 and 1."""


class Network:
    """The tracks on the map and the links between cells that carry a track or a town."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.owner = [NO_TRACK] * len(world.neighbours)
        self._links: list[list[int]] = [[] for _ in world.neighbours]
        self._relink(world.town_at)

    def lay(self, cell: int, owner: int) -> None:
        """Put a track on a cell."""
        self.owner[cell] = owner
        self._relink((cell,))

    def lift(self, cells: Iterable[int]) -> list[int]:
        """Remove the tracks from these cells; return the cells that had one."""
        bared = [cell for cell in cells if self.owner[cell] != NO_TRACK]
        for cell in bared:
            self.owner[cell] = NO_TRACK
        self._relink(bared)
        return bared

    def routes(self) -> list[Route | None]:
        """Return, for every wish of the world in order, the active connection or None."""
        wishes = self.world.wishes
        found: list[Route | None] = [None] * len(wishes)
        by_start: dict[int, list[int]] = {}
        for number, wish in enumerate(wishes):
            by_start.setdefault(wish.start, []).append(number)
        for start, numbers in by_start.items():
            if self._links[start]:
                came_from = self._flood(start)
                for number in numbers:
                    found[number] = _trace(came_from, wishes[number].goal)
        return found

    def touches_town(self, cell: int, owners: Collection[int]) -> bool:
        """Whether tracks of these owners lead from a cell with a track to any town."""
        towns = self.world.town_at
        queue = [cell]
        seen = {cell}
        for here in queue:
            for near in self._links[here]:
                if near in towns:
                    return True
                if near not in seen and self.owner[near] in owners:
                    seen.add(near)
                    queue.append(near)
        return False

    def _flood(self, start: int) -> dict[int, int]:
        """Search breadth-first; return, by cell reached, the cell it was reached from."""
        came_from = {start: start}
        queue = [start]
        links = self._links
        for here in queue:
            for near in links[here]:
                if near not in came_from:
                    came_from[near] = here
                    queue.append(near)
        return came_from

    def _relink(self, cells: Iterable[int]) -> None:
        neighbours, owner, towns = self.world.neighbours, self.owner, self.world.town_at
        touched = {near for cell in cells for near in (cell, *neighbours[cell])}
        for cell in touched:
            self._links[cell] = [near for near in neighbours[cell] if owner[near] != NO_TRACK or near in towns]


def _trace(came_from: dict[int, int], goal: int) -> Route | None:
    if goal not in came_from:
        return None
    route = [goal]
    while (before := came_from[route[-1]]) != route[-1]:
        route.append(before)
    route.reverse()
    return tuple(route)


def route_left(world: World, inked: Sequence[int]) -> bool:
    """Whether tracks on cells that are not inked out could still fulfil any wish."""
    region = world.chart.region
    reached_from: dict[int, int] = {}
    for wish in world.wishes:
        if wish.start not in reached_from:
            reached_from[wish.start] = wish.start
            queue = [wish.start]
            for here in queue:
                for near in world.neighbours[here]:
                    if near not in reached_from and not inked[region[near]]:
                        reached_from[near] = wish.start
                        queue.append(near)
        if reached_from.get(wish.goal) == reached_from[wish.start]:
            return True
    return False
