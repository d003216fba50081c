"""How many turns a second the Splendor engine plays on one core: prompt, read and play, nothing else."""

from __future__ import annotations

import random
from time import perf_counter_ns

from arbiter.game import Chance
from protocols.splendor import protocol
from protocols.splendor.game import SplendorGame
from protocols.splendor.legal import legal_moves

SEATS = 2
TURNS = 15_000
"""Of one measurement in ``make bench``."""
AIM = 15_000
"""Turns a second that the engine should reach at least."""


def run(turns: int) -> float:
    """Turns per second over this many turns of random legal play. Choosing the moves is not timed."""
    whims = random.Random(1)
    spent_ns = 0
    seed = 0
    game = _new_game(seed)
    for _ in range(turns):
        if game.result() is not None:
            seed += 1
            game = _new_game(seed)
        seat = game.to_move()[0]
        answer = _any_move(game, seat, whims)
        started = perf_counter_ns()
        game.prompt(seat)
        move = game.read(seat, answer)
        game.play({seat: move.text})
        spent_ns += perf_counter_ns() - started
    return turns * 1e9 / spent_ns


def _new_game(seed: int) -> SplendorGame:
    game = protocol.start(SEATS, {}, protocol.setup(SEATS, {}, Chance(seed, "setup")), Chance(seed))
    assert isinstance(game, SplendorGame)
    return game


def _any_move(game: SplendorGame, seat: int, whims: random.Random) -> str:
    """Any kind of action with the same chance, so that cards are bought as in real games."""
    moves = legal_moves(game, seat)
    kind = whims.choice(sorted({move[0] for move in moves}))
    return whims.choice([move for move in moves if move[0] == kind])


if __name__ == "__main__":
    print(f"{run(TURNS):,.0f} turns a second")
