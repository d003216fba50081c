"""One whole game as readable text."""

from __future__ import annotations

import random

from arbiter.game import Game
from arbiter.testing import Playthrough, playthrough
from protocols.splendor import protocol
from tests.protocols.transcripts import short_transcript

from .table import pick, random_answer

BLUNDERS = ("", "pass", "1 3 0 0 1", "1 3 0 1 2 0", "2 5", "3 91", "4 0", "4 90", "1 1 03", "buy 17\n", "7 7", "3 -1 9")


def golden_game() -> str:
    """Return the transcript of the game."""
    return short_transcript(played())


def played() -> Playthrough:
    """Play the game of seed 17 between two players that blunder about every tenth turn."""
    return playthrough(protocol, _answer, seats=2, seed=17)


def _answer(game: Game, seat: int, rng: random.Random) -> str:
    if rng.random() < 0.1:
        return pick(BLUNDERS, rng)
    answer = random_answer(game, seat, rng)
    return answer if rng.random() < 0.8 else "  " + answer.replace(" ", "\r\n") + "\r\n"
