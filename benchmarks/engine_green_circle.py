"""How many phases a second the Green Circle engine plays on one core: prompt, read and play, nothing else."""

from __future__ import annotations

import random
from time import perf_counter_ns

from arbiter.game import Chance, Game
from protocols.green_circle import protocol

SEATS = 2
LEVELS = (1, 2, 3, 4)

TURNS = 20_000
"""Of one measurement in ``make bench``."""
AIM = 10_000
"""Phases a second that the engine should reach at least."""


def run(turns: int) -> float:
    """Phases per second over this many phases of random legal play, the four levels in turn. Choosing is not timed."""
    whims = random.Random(1)
    spent_ns = 0
    seed = 0
    game = _new_game(seed)
    for _ in range(turns):
        if game.result() is not None:
            seed += 1
            game = _new_game(seed)
        seat = game.to_move()[0]
        started = perf_counter_ns()
        prompt = game.prompt(seat)
        spent_ns += perf_counter_ns() - started
        answer = _any_answer(prompt, whims)
        started = perf_counter_ns()
        move = game.read(seat, answer)
        game.play({seat: move.text})
        spent_ns += perf_counter_ns() - started
    return turns * 1e9 / spent_ns


def _new_game(seed: int) -> Game:
    options = {"level": LEVELS[seed % len(LEVELS)]}
    return protocol.start(SEATS, options, protocol.setup(SEATS, options, Chance(seed, "setup")), Chance(seed))


def _any_answer(prompt: str, whims: random.Random) -> str:
    """One of the actions offered; every other answer carries a message, as those of real agents do."""
    lines = prompt.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("OPPONENT_CARDS")) + 1
    first += lines[first].startswith("OPPONENT_AUTOMATED")
    action = whims.choice(lines[first + 1 :])
    return action if whims.random() < 0.5 else f"{action} on we go"


if __name__ == "__main__":
    print(f"{run(TURNS):,.0f} phases a second")
