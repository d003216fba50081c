#!/usr/bin/env python3
# Plays a random legal move in any game of OpenSpiel.
# The random generator is seeded with the input so far, so equal games get equal answers; a number as first argument changes
# the seed: random_moves.py 7

import random
import sys

rng = random.Random(sys.argv[1] if len(sys.argv) > 1 else "0")
for line in sys.stdin:
    seat, players = line.split()
    moves = [sys.stdin.readline().split(" ", 1) for _ in range(int(sys.stdin.readline()))]
    position = [sys.stdin.readline() for _ in range(int(sys.stdin.readline()))]
    rng.seed(f"{rng.random()} {seat} {position}")
    print(rng.choice(moves)[0], flush=True)
