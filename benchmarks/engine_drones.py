"""How many turns a second the GameOfDrones engine plays on one core: both prompts, both answers read, and play."""

from __future__ import annotations

import random
from time import perf_counter_ns

from arbiter.game import Chance, Game
from protocols.drones import protocol

TURNS = 20_000
"""Of one measurement in ``make bench``."""
AIM = 20_000
"""Turns a second that the engine should reach at least."""


def run(turns: int) -> float:
    """Turns per second over this many turns of random play. Choosing the answers is not timed."""
    whims = random.Random(1)
    spent_ns = 0
    seed = 0
    game = _new_match(seed)
    for _ in range(turns):
        if game.result() is not None:
            seed += 1
            game = _new_match(seed)
        answers = [_any_answer(whims), _any_answer(whims)]
        started = perf_counter_ns()
        game.prompt(0)
        game.prompt(1)
        game.play({0: game.read(0, answers[0]).text, 1: game.read(1, answers[1]).text})
        spent_ns += perf_counter_ns() - started
    return turns * 1e9 / spent_ns


def _new_match(seed: int) -> Game:
    options = {"rounds": 1000}
    return protocol.start(2, options, protocol.setup(2, options, Chance(seed, "setup")), Chance(seed))


def _any_answer(whims: random.Random) -> str:
    """What an agent might say: now and then more than it can make, and an attack every fifth turn or so."""
    attack = "true" if whims.random() < 0.1 else "false"
    return f'{{"newProducers": {whims.randrange(5)}, "newSoldiers": {whims.randrange(5)}, "launchAttack": {attack}}}'


if __name__ == "__main__":
    print(f"{run(TURNS):,.0f} turns a second")
