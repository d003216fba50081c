"""An independent implementation of the rules, as plain as possible and based only on what agents read."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise

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


def all_routes(width: int, height: int, prices: Sequence[int], start: int, goal: int) -> Iterator[list[int]]:
    """Yield every route that visits no cell twice and no barred cell."""
    if prices[start] < 0 or prices[goal] < 0:
        return
    stack = [[start]]
    while stack:
        route = stack.pop()
        if route[-1] == goal:
            yield route
            continue
        y, x = divmod(route[-1], width)
        for nx, ny in around((x, y)):
            near = ny * width + nx
            if 0 <= nx < width and 0 <= ny < height and prices[near] >= 0 and near not in route:
                stack.append([*route, near])


def directions(route: Sequence[int], width: int) -> list[int]:
    """Return the steps of a route: 0 north, 1 east, 2 south, 3 west."""
    names = {-width: 0, 1: 1, width: 2, -1: 3}
    return [names[after - before] for before, after in pairwise(route)]
