"""The route that AUTOPLACE takes: the cheapest in paint, with ties broken by direction.

Two routes of equal cost are compared at the first step in which they differ: north comes before east, east
before south, south before west.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

BARRED = -1
"""The price of a cell that no route may enter."""

_FAR = 1 << 30
_BUCKETS = 4
"""One more than the highest price."""


def cheapest_route(
    neighbours: Sequence[Sequence[int]], prices: Sequence[int], start: int, goal: int
) -> list[int] | None:
    """Return the cells from start to goal, both included, or None if no route is left.

    ``prices`` is the cost of each cell, from 0 to 3, or BARRED.
    """
    if prices[start] == BARRED or prices[goal] == BARRED:
        return None
    to_go = _costs_to_go(neighbours, prices, start, goal)
    return None if to_go[start] == _FAR else _first_route(neighbours, prices, to_go, start, goal)


def _costs_to_go(neighbours: Sequence[Sequence[int]], prices: Sequence[int], start: int, goal: int) -> list[int]:
    """Return, by cell, the paint still to pay after it on the way to the goal: Dial's algorithm, stopped at the start.

    The costs are exact for all cells that cost no more than the start.
    """
    to_go = [price if price == BARRED else _FAR for price in prices]
    to_go[goal] = 0
    buckets: list[list[int]] = [[] for _ in range(_BUCKETS)]
    buckets[0].append(goal)
    cost = 0
    while to_go[start] >= cost and any(buckets):
        bucket = buckets[cost % _BUCKETS]
        for cell in bucket:  # grows while it is read: cells of price 0 join at the same cost
            if to_go[cell] == cost:
                beyond = cost + prices[cell]
                for near in neighbours[cell]:
                    if beyond < to_go[near]:
                        to_go[near] = beyond
                        buckets[beyond % _BUCKETS].append(near)
        bucket.clear()
        cost += 1
    return to_go


def _first_route(
    neighbours: Sequence[Sequence[int]], prices: Sequence[int], to_go: Sequence[int], start: int, goal: int
) -> list[int]:
    """Walk from the start, always in the first direction that stays on a cheapest route, and back out of dead ends.

    Dead ends occur only where cells of price 0 are adjacent.
    """
    route = [start]
    seen = {start}
    while (here := route[-1]) != goal:
        for near in neighbours[here]:
            if to_go[near] + prices[near] == to_go[here] and near not in seen:
                seen.add(near)
                route.append(near)
                break
        else:
            route.pop()
    return route
