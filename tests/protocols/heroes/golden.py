"""One short game as readable text."""

from __future__ import annotations

import random

from arbiter.game import Game
from arbiter.testing import Playthrough, playthrough, transcript
from protocols.heroes import protocol

from .table import lively_answer, pick

SEED = 10

BLUNDERS = ("", "N", "up", "go north", "North\x00", "Stay disconnect", '{"dir":"East"}')


def golden_game() -> str:
    """Play ten rounds between four players that sometimes answer nonsense."""
    return transcript(played(SEED))


def played(seed: int) -> Playthrough:
    return playthrough(protocol, _answer, seats=4, seed=seed, options={"rounds": 10, "size": 10})


def _answer(game: Game, seat: int, rng: random.Random) -> str:
    if rng.random() < 0.06:
        return pick(BLUNDERS, rng)
    answer = lively_answer(game, seat, rng)
    return answer if rng.random() < 0.8 else pick((answer.upper(), f" {answer.lower()}\r"), rng)
