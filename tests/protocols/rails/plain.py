"""An independent implementation of the rules, as plain as possible and based only on what agents read."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence

from arbiter.game import Json

Spot = tuple[int, int]
NESW = ((0, -1), (1, 0), (0, 1), (-1, 0))


def around(spot: Spot) -> list[Spot]:
    return [(spot[0] + dx, spot[1] + dy) for dx, dy in NESW]


def town_spots(setup: Json) -> list[Spot]:
    return [(town["x"], town["y"]) for town in setup["towns"]]


def shortest(setup: Json, tracks: dict[Spot, int], source: int, target: int) -> list[Spot] | None:
    """Search breadth-first for one wish: neighbours N, E, S, W, visited when queued."""
    spots = town_spots(setup)
    start, goal = spots[source], spots[target]
    parents: dict[Spot, Spot | None] = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for near in around(here):
            if near not in parents and (near in tracks or near in spots):
                parents[near] = here
                queue.append(near)
    if goal not in parents:
        return None
    path: list[Spot] = []
    step: Spot | None = goal
    while step is not None:
        path.append(step)
        step = parents[step]
    return path[::-1]


def connections(setup: Json, tracks: dict[Spot, int]) -> dict[str, list[Spot]]:
    """Return every active connection by name."""
    found = {}
    for source, town in enumerate(setup["towns"]):
        for target in town["wishes"]:
            path = shortest(setup, tracks, source, target)
            if path:
                found[f"{source}-{target}"] = path
    return found


def gains(setup: Json, tracks: dict[Spot, int]) -> tuple[int, int]:
    """Return what a turn pays each seat."""
    paid = [tracks.get(spot) for path in connections(setup, tracks).values() for spot in path]
    return paid.count(0), paid.count(1)


def quest_done(setup: Json, tracks: dict[Spot, int], seat: int) -> bool:
    """Whether own and neutral tracks of this seat lead from a town onto a place of interest."""
    mine = {spot for spot, owner in tracks.items() if owner in (seat, 2)}
    reached = set(town_spots(setup))
    while new := {near for spot in reached for near in around(spot) if near in mine} - reached:
        reached |= new
    return any(setup["terrain"][y][x] == "3" for x, y in reached)


def possible(setup: Json, inked: set[Spot]) -> bool:
    """Whether any wish has a route over cells that are not inked out."""
    width, height = len(setup["terrain"][0]), len(setup["terrain"])
    spots = town_spots(setup)
    for source, town in enumerate(setup["towns"]):
        seen = {spots[source]}
        todo = [spots[source]]
        while todo:
            for x, y in around(todo.pop()):
                if 0 <= x < width and 0 <= y < height and (x, y) not in inked and (x, y) not in seen:
                    seen.add((x, y))
                    todo.append((x, y))
        if any(spots[target] in seen for target in town["wishes"]):
            return True
    return False


def cheapest_cost(neighbours: Sequence[Sequence[int]], prices: Sequence[int], start: int, goal: int) -> int | None:
    """Run textbook Dijkstra, including the price of the start; -1 is barred."""
    if prices[start] < 0:
        return None
    heap = [(prices[start], start)]
    best = {start: prices[start]}
    while heap:
        cost, here = heapq.heappop(heap)
        if here == goal:
            return cost
        for near in neighbours[here]:
            if prices[near] >= 0 and cost + prices[near] < best.get(near, 10**9):
                best[near] = cost + prices[near]
                heapq.heappush(heap, (best[near], near))
    return None


class JavaQueue:
    """java.util.PriorityQueue as its documentation and source describe it, written with swaps."""

    def __init__(self) -> None:
        self.items: list[tuple[tuple[int, int], Spot, list[Spot]]] = []

    def _swap(self, one: int, other: int) -> None:
        self.items[one], self.items[other] = self.items[other], self.items[one]

    def add(self, item: tuple[tuple[int, int], Spot, list[Spot]]) -> None:
        self.items.append(item)
        at = len(self.items) - 1
        while at and self.items[at][0] < self.items[(at - 1) // 2][0]:
            self._swap(at, (at - 1) // 2)
            at = (at - 1) // 2

    def poll(self) -> tuple[tuple[int, int], Spot, list[Spot]]:
        self._swap(0, len(self.items) - 1)
        first = self.items.pop()
        at = 0
        while children := [child for child in (2 * at + 1, 2 * at + 2) if child < len(self.items)]:
            least = min(children, key=lambda child: self.items[child][0])
            if self.items[at][0] <= self.items[least][0]:
                break
            self._swap(at, least)
            at = least
        return first


def site_autoplace(prices: dict[Spot, int], start: Spot, goal: Spot) -> list[Spot]:
    """Return the cells that AUTOPLACE paves, state by state as the settled rules describe the contest site.

    ``prices`` has every cell of the map: 0 is rail, -1 is barred.
    """
    rail = {spot for spot, price in prices.items() if price == 0}

    def reach(spot: Spot) -> list[Spot]:
        """Return rail connected to this rail, and the cells next to it, in the order of a breadth-first search."""
        found = [spot]
        for here in found:
            found += [near for near in around(here) if here in rail and near in prices and near not in found]
        return found

    first = (start, start in rail)
    best = {first: 0}
    before: dict[tuple[Spot, bool], tuple[Spot, bool]] = {}
    queue = JavaQueue()
    queue.add(((0, 0), start, []))
    flag = first[1]
    while queue.items:
        (cost, _), here, planned = queue.poll()
        state = (here, flag)
        flag = True
        if here == goal or (here in rail and goal in rail and goal in reach(here)):
            break
        if here in planned:
            successors = [near for near in around(here) if near in prices]
        elif here in rail:
            successors = [spot for spot in reach(here) if spot not in rail]
        else:
            successors = [here]
        for there in successors:
            if prices[there] < 0 or there in planned or (there in rail and there == here):
                continue
            total = cost + prices[there]
            if total >= best.get((there, True), 10**9):
                continue
            best[there, True], before[there, True] = total, state
            step = around(here).index(there) if there in around(here) else 4
            queue.add(((total, step), there, planned if there in rail else [*planned, there]))
    else:
        return []
    path = [here]
    while state in before:
        state = before[state]
        path.append(state[0])
    return [spot for spot in dict.fromkeys(reversed(path)) if spot not in rail]
