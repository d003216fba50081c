#!/usr/bin/env python3
# A starter to copy and improve: it walks to the nearest mine that is not its own, and to a tavern when life is low,
# avoiding spikes if it can. Every turn is decided from the input alone. A breadth-first search from its position finds
# the nearest wanted cell.

import json
import sys
from collections import deque

STEPS = {"North": (-1, 0), "South": (1, 0), "East": (0, 1), "West": (0, -1)}
LOW_LIFE = 35  # a mine costs 25, and there may be a walk before the next drink
DRINK_MONEY = 2  # enough for a drink in every preset
DRY = ("  ",)
ANY_GROUND = ("  ", "^^")


class Map:
    """Return a lookup of tiles by row and column; everything outside is wood."""

    def __init__(self, board):
        self.size, self.tiles = board["size"], board["tiles"]

    def __getitem__(self, cell):
        x, y = cell
        if not (0 <= x < self.size and 0 <= y < self.size):
            return "##"
        at = 2 * (x * self.size + y)
        return self.tiles[at : at + 2]


def way_to(world, here, wanted, walkable):
    """Return the first step to the nearest wanted tile and its distance, or Stay and None if unreachable."""
    seen, queue = {here}, deque([(here, None, 0)])
    while queue:
        (x, y), first, distance = queue.popleft()
        for direction, (dx, dy) in STEPS.items():
            cell = (x + dx, y + dy)
            if wanted(world[cell]):
                return first or direction, distance + 1
            if cell not in seen and world[cell] in walkable:
                seen.add(cell)
                queue.append((cell, first or direction, distance + 1))
    return "Stay", None


def choose(state):
    """Return a direction, and the reason."""
    me, world = state["hero"], Map(state["game"]["board"])
    here = (me["pos"]["x"], me["pos"]["y"])
    if me["life"] <= LOW_LIFE and me["gold"] >= DRINK_MONEY:
        goal, wanted = "tavern", lambda tile: tile == "[]"
    else:
        goal, wanted = "mine", lambda tile: tile[0] == "$" and tile[1] != str(me["id"])
    direction, distance = way_to(world, here, wanted, DRY)
    if distance is None:
        # Better to die on spikes, which at least heals, than to wait behind them for the rest of the game.
        direction, distance = way_to(world, here, wanted, ANY_GROUND)
    if distance is None:
        return direction, f"no way to a {goal}, waiting"
    return direction, f"{me['life']} life, the nearest {goal} is {distance} away"


if __name__ == "__main__":
    for line in sys.stdin:
        state = json.loads(line)
        if state["game"]["finished"]:
            break
        direction, why = choose(state)
        print("kibitz", why, file=sys.stderr, flush=True)
        print(direction, flush=True)
