#!/usr/bin/env python3
# Picks any of the possible moves, each equally likely. The choice depends only on a checksum of the prompt, so the
# same prompt always gets the same answer. RANDOM is never used: it would leave the choice to the arbiter.

import sys
import zlib


def read_request():
    """Read one prompt as (lines, number of possible moves, which are the last lines); None at the end of the input."""
    lines = []

    def next_line():
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        lines.append(line.rstrip("\n"))
        return lines[-1]

    def skip(count):
        for _ in range(count):
            next_line()

    try:
        next_line()  # the phase
        skip(int(next_line()))  # the applications
        skip(2)  # my team, the other team
        skip(int(next_line()))  # the piles of cards
        count = int(next_line())
        skip(count)  # the possible moves
    except EOFError:
        return None
    return lines, count


while request := read_request():
    lines, count = request
    moves = [move for move in lines[-count:] if move != "RANDOM"]
    move = moves[zlib.crc32("\n".join(lines).encode()) % len(moves)]
    print(f"kibitz {move}: one of {len(moves)} possible moves, any would do", file=sys.stderr, flush=True)
    print(move, flush=True)
