"""How fast the Rails engine goes: turns a second of prompt, read and play for both seats.

The answers are worked out beforehand: each seat builds from town to town with AUTOPLACE or track by track,
and disrupts now and then, on the largest map.
"""

from __future__ import annotations

import random
import time

from arbiter.game import Chance, Game
from protocols.rails import protocol

TURNS = 2_000
"""Of one measurement in ``make bench``."""
AIM = 400
"""Turns a second that the engine should reach at least."""


def run(turns: int) -> float:
    """Turns a second over at least this many turns; only prompts, reading and playing are timed."""
    played, spent_ns, seed = 0, 0, 0
    while played < turns:
        count, time_ns = _one_game(seed)
        played, spent_ns, seed = played + count, spent_ns + time_ns, seed + 1
    return played / (spent_ns / 1e9)


def _one_game(seed: int) -> tuple[int, int]:
    setup = protocol.setup(2, {"height": 20}, Chance(seed, "setup"))
    game = protocol.start(2, {}, setup, Chance(seed))
    whims = random.Random(seed)
    turns = spent_ns = 0
    while game.result() is None:
        answers = [_answer(setup["towns"], whims) for _ in range(2)]
        began = time.perf_counter_ns()
        _turn(game, answers)
        spent_ns += time.perf_counter_ns() - began
        turns += 1
    return turns, spent_ns


def _turn(game: Game, answers: list[str]) -> None:
    for seat in game.to_move():
        game.prompt(seat)
    game.play({seat: game.read(seat, answers[seat]).text for seat in game.to_move()})


def _answer(towns: list[dict[str, int]], whims: random.Random) -> str:
    here, there = whims.sample(towns, 2)
    orders = [f"AUTOPLACE {here['x']} {here['y']} {there['x']} {there['y']}"]
    if whims.random() < 0.3:
        orders = [f"PLACE_TRACKS {here['x'] + whims.randrange(4)} {here['y']}" for _ in range(3)]
    if whims.random() < 0.5:
        orders.append(f"DISRUPT {whims.randrange(60)}")
    return ";".join(orders)


if __name__ == "__main__":
    print(f"{run(TURNS):,.0f} turns a second")
