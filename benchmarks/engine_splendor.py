"""The rules of Splendor, with random legal moves."""

from __future__ import annotations

import random

from arbiter.game import Game
from benchmarks.engine import Engine
from protocols.splendor import protocol
from protocols.splendor.game import SplendorGame
from protocols.splendor.legal_moves import legal_moves


def _answer(game: Game, seat: int, _: str, rng: random.Random) -> str:
    """Choose the kind of action uniformly, so that cards are bought as often as in real games."""
    assert isinstance(game, SplendorGame)
    moves = legal_moves(game, seat)
    kind = rng.choice(sorted({move[0] for move in moves}))
    return rng.choice([move for move in moves if move[0] == kind])


ENGINE = Engine(protocol, 2, _answer, turns=15_000, aim=15_000)
