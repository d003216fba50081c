#!/usr/bin/env python3
"""Rides in a random direction that is free, the same one whenever the position is the same."""

import random
import sys

STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}


def main():
    width, height, seats, me = map(int, sys.stdin.readline().split())
    while line := sys.stdin.readline():
        riders = [line, *(sys.stdin.readline() for _ in range(seats - 1))]
        rows = [sys.stdin.readline().strip() for _ in range(height)]
        x, y, _ = map(int, riders[me].split())
        ways = [
            word
            for word, (dx, dy) in STEPS.items()
            if 0 <= x + dx < width and 0 <= y + dy < height and rows[y + dy][x + dx] == "."
        ]
        chance = random.Random("".join([*riders, *rows]))
        print(chance.choice(ways or ["UP"]), flush=True)


main()
