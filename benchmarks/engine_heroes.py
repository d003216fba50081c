"""How many plies a second the Heroes engine plays on one core: prompt, read and play, nothing else."""

from __future__ import annotations

import random
from time import perf_counter_ns

from arbiter.game import Chance, Game
from protocols.heroes import protocol

SEATS = 4
TURNS = 30_000
"""Of one measurement in ``make bench``."""
AIM = 20_000
"""Turns a second that the engine should reach at least."""
WORDS = ("North", "East", "South", "West", "stay")


def run(turns: int) -> float:
    """Turns per second over this many turns of random play on maps of all sizes. Choosing the moves is not timed."""
    whims = random.Random(1)
    spent_ns = 0
    seed = 0
    game = _new_game(seed)
    for _ in range(turns):
        if game.result() is not None:
            seed += 1
            game = _new_game(seed)
        seat = game.to_move()[0]
        answer = whims.choice(WORDS)
        started = perf_counter_ns()
        game.prompt(seat)
        move = game.read(seat, answer)
        game.play({seat: move.text})
        spent_ns += perf_counter_ns() - started
    return turns * 1e9 / spent_ns


def _new_game(seed: int) -> Game:
    return protocol.start(SEATS, {}, protocol.setup(SEATS, {}, Chance(seed, "setup")), Chance(seed))


if __name__ == "__main__":
    print(f"{run(TURNS):,.0f} turns a second")
