"""The rules of Heroes, with random moves on maps of all sizes."""

from __future__ import annotations

import random

from arbiter.game import Game
from benchmarks.engine import Engine
from protocols.heroes import protocol

WORDS = ("North", "East", "South", "West", "stay")


def _answer(_: Game, __: int, ___: str, rng: random.Random) -> str:
    return rng.choice(WORDS)


ENGINE = Engine(protocol, 4, _answer, turns=30_000, aim=20_000)
