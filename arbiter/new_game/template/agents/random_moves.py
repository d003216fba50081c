#!/usr/bin/env python3
"""Takes a random number of stones from a random heap."""

import random
import sys


def main() -> None:
    while line := sys.stdin.readline():
        assert line.strip().isdigit()  # the number of heaps
        stones = [int(word) for word in sys.stdin.readline().split()]
        heap = random.choice([number for number, left in enumerate(stones) if left])
        count = random.randint(1, stones[heap])
        print(f"kibitz {sum(stones)} stones are left", file=sys.stderr)
        print(heap, count, flush=True)


if __name__ == "__main__":
    main()
