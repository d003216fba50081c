"""The rules of Green Circle, with random legal moves, cycling through the four levels. A turn is a phase."""

from __future__ import annotations

import random

from arbiter.game import Game
from benchmarks.engine import Engine
from protocols.green_circle import protocol

LEVELS = (1, 2, 3, 4)


def _answer(_: Game, __: int, prompt: str, rng: random.Random) -> str:
    """Return one of the actions offered; half of the answers carry a message, as those of real agents do."""
    lines = prompt.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("OPPONENT_CARDS")) + 1
    first += lines[first].startswith("OPPONENT_AUTOMATED")
    action = rng.choice(lines[first + 1 :])
    return action if rng.random() < 0.5 else f"{action} on we go"


ENGINE = Engine(
    protocol, 2, _answer, turns=20_000, aim=10_000, options=lambda seed: {"level": LEVELS[seed % len(LEVELS)]}
)
