"""The route that AUTOPLACE takes, as the contest site computes it.

A best-first search over cells by the cost in paint. Rail (a track of any owner, or a town) is free, and a step onto rail
continues from any cell at the rim of that piece of rail. Routes of equal cost are common, and which of them is found depends on
the order in which a binary heap returns equal keys. So the heap here works exactly like java.util.PriorityQueue: only then do
recorded games of the site end with the site's scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

BARRED = -1
"""The price of a cell that no route may enter."""

_ELSEWHERE = 4
"""The direction of a step to a cell that is not a neighbour; neighbours are numbered N 0, E 1, S 2, W 3."""
_DIRECTIONS = _ELSEWHERE + 1
_FAR = 1 << 30


class _Entry(NamedTuple):
    """A cell that the search has reached, in the queue."""

    key: int
    """Cost and direction of the last step in one number: the order of the queue."""
    cell: int
    planned: frozenset[int]
    """The cells without rail that were entered on the way."""


class Grid(NamedTuple):
    """The cells of a map and how they are connected."""

    neighbours: Sequence[Sequence[int]]
    """By cell: its neighbours in the order N, E, S, W."""
    width: int

    def direction(self, here: int, there: int) -> int:
        """Return N 0, E 1, S 2 or W 3, or 4 if the two are not neighbours."""
        if there not in self.neighbours[here]:
            return _ELSEWHERE
        if abs(there - here) == self.width:
            return 2 if there > here else 0
        return 1 if there > here else 3


def unpaved_route(grid: Grid, prices: Sequence[int], start: int, goal: int) -> list[int] | None:
    """Return the cells to pave, in order, on a cheapest route from start to goal; None if there is no route.

    ``prices`` is the cost of each cell: 0 for rail, up to 3 elsewhere, or BARRED.
    """
    came_from = _search(grid, prices, start, goal)
    if came_from is None:
        return None
    found, before = came_from
    route = [found]
    while (found := before[found]) >= 0:
        route.append(found)
    return [cell for cell in reversed(route) if prices[cell]]


def _search(grid: Grid, prices: Sequence[int], start: int, goal: int) -> tuple[int, dict[int, int]] | None:
    """Return the last cell of the route, and the predecessor of every cell that was reached; -1 for the first."""
    arrived = _piece_of_rail(grid, prices, goal) if prices[goal] == 0 else {goal}
    before: dict[int, int] = {}
    best: dict[int, int] = {}
    if prices[start] == 0:
        best[start], before[start] = 0, -1
    elif start == goal:
        return start, {start: -1}
    queue = [_Entry(0, start, frozenset())]
    while queue:
        key, here, planned = _poll(queue)
        if here in arrived:
            return here, before
        cost = key // _DIRECTIONS
        for there in _successors(grid, prices, here, planned):
            price = prices[there]
            if price == BARRED or there in planned or (price == 0 and there == here):
                continue
            total = cost + price
            if total < best.get(there, _FAR):
                best[there] = total
                before[there] = here if there != here else -1
                step = grid.direction(here, there)
                _add(queue, _Entry(total * _DIRECTIONS + step, there, planned | {there} if price else planned))
    return None


def _successors(grid: Grid, prices: Sequence[int], here: int, planned: frozenset[int]) -> Sequence[int]:
    if here in planned:
        return grid.neighbours[here]
    return _rim(grid, prices, here) if prices[here] == 0 else (here,)


def _piece_of_rail(grid: Grid, prices: Sequence[int], cell: int) -> set[int]:
    """Return all rail that is connected to this cell of rail."""
    piece = {cell}
    stack = [cell]
    while stack:
        for near in grid.neighbours[stack.pop()]:
            if prices[near] == 0 and near not in piece:
                piece.add(near)
                stack.append(near)
    return piece


def _rim(grid: Grid, prices: Sequence[int], cell: int) -> list[int]:
    """Return the cells around a piece of rail, in the order of a breadth-first search from one of its cells."""
    queue = [cell]
    seen = {cell}
    rim: list[int] = []
    for here in queue:  # grows while it is read
        if prices[here] != 0:
            rim.append(here)
            continue
        for near in grid.neighbours[here]:
            if near not in seen:
                seen.add(near)
                queue.append(near)
    return rim


def _add(heap: list[_Entry], entry: _Entry) -> None:
    """Add an entry as java.util.PriorityQueue does: from the end up, past every parent with a larger key."""
    at = len(heap)
    heap.append(entry)
    while at:
        parent = (at - 1) >> 1
        if entry.key >= heap[parent].key:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = entry


def _poll(heap: list[_Entry]) -> _Entry:
    """Take the first entry as java.util.PriorityQueue does: the last one replaces it and moves down past smaller keys."""
    first, last = heap[0], heap.pop()
    size = len(heap)
    if not size:
        return first
    at = 0
    while (child := 2 * at + 1) < size:
        if child + 1 < size and heap[child].key > heap[child + 1].key:
            child += 1
        if last.key <= heap[child].key:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = last
    return first
