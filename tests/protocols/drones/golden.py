"""One whole match as readable text."""

from __future__ import annotations

import random

from arbiter.game import Game
from arbiter.testing import playthrough, transcript
from protocols.drones import protocol

from .table import pick, random_answer

BLUNDERS = (
    "",
    "attack!",
    "{newProducers: 1}",
    '{"newProducers": -1, "newSoldiers": "2", "launchAttack": "1"}',
    '{"newProducers": 1.5, "newSoldiers": null}',
    '{"newSoldiers": 1e400}',
    "[1, 0, false]",
    '{"newProducers": NaN}',
    "9 9 0",
)


def golden_game() -> str:
    """Play the match of seed 38 between two players that blunder about every tenth turn."""
    return transcript(playthrough(protocol, _answer, seats=2, seed=38, options={"rounds": 6}))


def _answer(game: Game, seat: int, rng: random.Random) -> str:
    return pick(BLUNDERS, rng) if rng.random() < 0.1 else random_answer(game, seat, rng)
