"""The golden transcript: two whole games, readable."""

from __future__ import annotations

import random

from arbiter.game import Game
from arbiter.testing import playthrough
from protocols.green_circle import protocol
from tests.protocols.transcripts import short_transcript


def answers(game: Game, seat: int, rng: random.Random) -> str:
    """Return any listed action, releases first, sometimes with a message; at the end an invalid one."""
    actions = game.view()["actions"]
    if game.view()["level"] == 4 and game.view()["phases"] == 90:
        return "RELEASE everything"
    releases = [action for action in actions if action.startswith("RELEASE")]
    action = rng.choice(releases or actions)
    return action if rng.random() < 0.8 else f"{action} 5 s600"


def golden_game() -> str:
    """Play a game of level 2 to its end and one of level 4 that ends in defeat."""
    games = [playthrough(protocol, answers, seats=2, seed=2022, options={"level": level}) for level in (2, 4)]
    return "\n".join(short_transcript(game) for game in games)
