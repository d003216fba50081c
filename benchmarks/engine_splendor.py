"""The rules of Splendor, with random legal moves."""

from __future__ import annotations

import random

from arbiter.game import Game
from arbiter.protocols.splendor import protocol
from arbiter.protocols.splendor.game import SplendorGame
from arbiter.protocols.splendor.legal import legal_moves
from benchmarks.engine import Engine


def _answer(game: Game, seat: int, _: str, whims: random.Random) -> str:
    """Any kind of action with the same chance, so that cards are bought as in real games."""
    assert isinstance(game, SplendorGame)
    moves = legal_moves(game, seat)
    kind = whims.choice(sorted({move[0] for move in moves}))
    return whims.choice([move for move in moves if move[0] == kind])


ENGINE = Engine(protocol, 2, _answer, turns=15_000, aim=15_000)
