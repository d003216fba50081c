#!/usr/bin/env python3
# Spends its paint on random tracks, each next to a town or an existing track, so that lines grow. About every fourth
# turn it also disrupts a random region.
# The random generator is seeded with a checksum of the map and the turn, so the same input always gets the same answer;
# a number as first argument changes the seed: random_moves.py 7

import random
import sys
import zlib
from itertools import islice

PAINT = 3
PRICES = {"0": 1, "1": 2, "2": 3, "3": 3}


def read_map(lines):
    """Read the first block into a dictionary; None at the end of the input."""
    head = list(islice(lines, 3))
    if len(head) < 3:
        return None
    me, width, height = map(int, head)
    cells = [line.split() for line in islice(lines, width * height)]
    count = next(lines)
    towns = list(islice(lines, int(count)))
    seed = zlib.crc32("".join([*head, count, *towns]).encode())
    return {
        "me": me,
        "width": width,
        "height": height,
        "region": [int(region) for region, _ in cells],
        "price": [PRICES[terrain] for _, terrain in cells],
        "towns": {int(y) * width + int(x) for _, x, y, _ in map(str.split, towns)},
        "seed": seed,
    }


def neighbours(world, cell):
    """Return the cells to the north, east, south and west that are on the map."""
    width, height = world["width"], world["height"]
    y, x = divmod(cell, width)
    return [
        (y + dy) * width + x + dx
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
        if 0 <= x + dx < width and 0 <= y + dy < height
    ]


def random_tracks(world, owner, inked, dice):
    """Choose cells next to the network, one after the other, until the paint is used up or nothing fits."""
    network = {cell for cell, who in enumerate(owner) if who != "-1"} | world["towns"]
    laid = []
    paint = PAINT
    while True:
        open_cells = sorted(
            near
            for near in {near for cell in network for near in neighbours(world, cell)} - network
            if not inked[near] and world["price"][near] <= paint
        )
        if not open_cells:
            return laid
        cell = dice.choice(open_cells)
        network.add(cell)
        laid.append(cell)
        paint -= world["price"][cell]


def random_region(world, inked, dice):
    """Choose a region that can be disrupted, or None."""
    safe = {world["region"][town] for town in world["towns"]}
    exposed = sorted({region for cell, region in enumerate(world["region"]) if not inked[cell]} - safe)
    return dice.choice(exposed) if exposed else None


def answer(world, turn, salt):
    dice = random.Random(zlib.crc32("".join(turn).encode(), world["seed"] ^ salt))
    cells = [line.split() for line in turn[2:]]
    owner = [cell[0] for cell in cells]
    inked = [cell[2] == "1" for cell in cells]
    tracks = random_tracks(world, owner, inked, dice)
    orders = [f"PLACE_TRACKS {cell % world['width']} {cell // world['width']}" for cell in tracks]
    if dice.random() < 0.25:
        region = random_region(world, inked, dice)
        if region is not None:
            orders.append(f"DISRUPT {region}")
    print(f"kibitz {len(orders)} orders, all drawn from the hat", file=sys.stderr, flush=True)
    print(";".join(orders) or "WAIT", flush=True)


def main():
    salt = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    lines = iter(sys.stdin)
    world = read_map(lines)
    if world is None:
        return
    size = 2 + world["width"] * world["height"]
    while len(turn := list(islice(lines, size))) == size:
        answer(world, turn, salt)


main()
