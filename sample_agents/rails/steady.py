#!/usr/bin/env python3
# A starter to build your own agent on. Each turn it
#   1. takes the few wishes between the nearest towns that are not connected yet, computes the paint
#      that each still needs, and orders an AUTOPLACE for the cheapest;
#   2. disrupts the region in which the opponent earns most in excess of what we earn.
# It keeps only the map from turn to turn, so it also plays when it is started for every move.

import sys
from itertools import islice

PRICES = {"0": 1, "1": 2, "2": 3, "3": 3}  # paint for a track, by terrain
PAIRS_TO_PRICE = 5
UNREACHABLE = 1 << 30


class Map:
    """The first block, which never changes."""

    def __init__(self, me, lines):
        self.me = int(me)
        self.width = int(next(lines))
        self.height = int(next(lines))
        self.size = self.width * self.height
        cells = [line.split() for line in islice(lines, self.size)]
        self.region = [int(region) for region, _ in cells]
        self.price = [PRICES[terrain] for _, terrain in cells]
        towns = [next(lines).split() for _ in range(int(next(lines)))]
        self.town_cell = {town: int(y) * self.width + int(x) for town, x, y, _ in towns}
        self.safe_regions = {self.region[cell] for cell in self.town_cell.values()}
        wishes = [(town, other) for town, _, _, wanted in towns if wanted != "x" for other in wanted.split(",")]
        self.wishes = sorted(wishes, key=lambda wish: self.distance(*wish))
        self.neighbours = [self._neighbours(cell) for cell in range(self.size)]

    def place(self, cell):
        return f"{cell % self.width} {cell // self.width}"

    def distance(self, town, other):
        (y1, x1), (y2, x2) = (divmod(self.town_cell[name], self.width) for name in (town, other))
        return abs(x1 - x2) + abs(y1 - y2)

    def _neighbours(self, cell):
        y, x = divmod(cell, self.width)
        beside = []
        if y > 0:
            beside.append(cell - self.width)
        if x < self.width - 1:
            beside.append(cell + 1)
        if y < self.height - 1:
            beside.append(cell + self.width)
        if x > 0:
            beside.append(cell - 1)
        return beside


class Turn:
    """The block of a turn."""

    def __init__(self, world, lines):
        self.world = world
        cells = [line.split() for line in lines]
        self.owner = [int(cell[0]) for cell in cells]
        self.inked = [cell[2] == "1" for cell in cells]
        # A cell without a connection has x.
        self.connections = [() if cell[3] == "x" else cell[3].split(",") for cell in cells]

    def open_wishes(self):
        """Return the wishes that are not connected, the nearest first."""
        active = {name for names in self.connections for name in names}
        return [(town, other) for town, other in self.world.wishes if f"{town}-{other}" not in active]

    def paint_needed(self, start, goal):
        """Return the least paint that connects two cells (Dijkstra's algorithm)."""
        price = [0 if owner >= 0 else price for owner, price in zip(self.owner, self.world.price)]
        for cell in self.world.town_cell.values():
            price[cell] = 0
        reached = bytearray(self.inked)
        frontier = {0: [start]}  # by paint: the cells to visit
        paint = 0
        while frontier:
            for cell in frontier.pop(paint, ()):
                if cell == goal:
                    return paint
                if not reached[cell]:
                    reached[cell] = 1
                    for near in self.world.neighbours[cell]:
                        if not reached[near]:
                            frontier.setdefault(paint + price[near], []).append(near)
            paint += paint not in frontier  # rails and towns are free: they may have joined at the same paint
        return UNREACHABLE

    def best_wish(self):
        """Return the paint and the pair of towns to connect next, or None."""
        best = None
        priced = 0
        for town, other in self.open_wishes():
            paint = self.paint_needed(self.world.town_cell[town], self.world.town_cell[other])
            if paint < UNREACHABLE:
                best = min(best or (paint, town, other), (paint, town, other))
                priced += 1
                if priced == PAIRS_TO_PRICE:
                    break
        return best

    def best_target(self):
        """Return the largest lead of the opponent in earnings in any region, and that region; or None."""
        earned = {}
        for cell, names in enumerate(self.connections):
            region = self.world.region[cell]
            if names and self.owner[cell] in (0, 1) and region not in self.world.safe_regions:
                sign = -1 if self.owner[cell] == self.world.me else 1
                earned[region] = earned.get(region, 0) + sign * len(names)
        lead, region = max(((lead, region) for region, lead in earned.items()), default=(0, 0))
        return (lead, region) if lead > 0 else None


def answer(turn):
    world = turn.world
    orders, reasons = [], []
    wish = turn.best_wish()
    if wish:
        paint, town, other = wish
        orders.append(f"AUTOPLACE {world.place(world.town_cell[town])} {world.place(world.town_cell[other])}")
        reasons.append(f"{town} to {other} takes {paint} paint")
    target = turn.best_target()
    if target:
        lead, region = target
        orders.append(f"DISRUPT {region}")
        reasons.append(f"region {region} pays the other {lead} more than me")
    print("kibitz", "; ".join(reasons) or "nothing to do", file=sys.stderr, flush=True)
    print(";".join(orders) or "WAIT", flush=True)


def main():
    lines = iter(sys.stdin)
    for me in lines:
        world = Map(me, lines)
        block = world.size + 2  # two scores, then one line per cell
        while len(text := list(islice(lines, block))) == block:
            answer(Turn(world, text[2:]))


main()
