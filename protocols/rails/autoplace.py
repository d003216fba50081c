"""The route that AUTOPLACE takes: cheapest in paint, and among the cheapest the one that comes first.

Two routes are compared at the earliest step in which they differ: north comes before east, east before
south, south before west.
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
    """The cells from start to goal, both included, or None where no route is left.

    ``prices`` gives what a cell costs, from 0 to 3, or BARRED.
    """
    if prices[start] == BARRED or prices[goal] == BARRED:
        return None
    to_go = _costs_to_go(neighbours, prices, start, goal)
    return None if to_go[start] == _FAR else _first_route(neighbours, prices, to_go, start, goal)


def _costs_to_go(neighbours: Sequence[Sequence[int]], prices: Sequence[int], start: int, goal: int) -> list[int]:
    """By cell: the paint still to be paid after it on the way to the goal; exact for all cells that are no
    dearer than the start."""
    to_go = [price if price == BARRED else _FAR for price in prices]
    to_go[goal] = 0
    buckets: list[list[int]] = [[] for _ in range(_BUCKETS)]
    buckets[0].append(goal)
    cost = 0
    while to_go[start] >= cost and any(buckets):
        bucket = buckets[cost % _BUCKETS]
        for cell in bucket:  # it grows while it is read: free cells join at the same cost
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
    """Walk from the start, always the first way that loses nothing, and step back out of dead ends (there
    are some only where free cells lie side by side)."""
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
