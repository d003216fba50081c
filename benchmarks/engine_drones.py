"""The rules of GameOfDrones, with random answers from both seats."""

from __future__ import annotations

import random

from arbiter.game import Game
from benchmarks.engine import Engine
from protocols.drones import protocol


def _answer(_: Game, __: int, ___: str, rng: random.Random) -> str:
    """Return a plausible answer: sometimes more units than it can make, and an attack every fifth turn or so."""
    attack = "true" if rng.random() < 0.1 else "false"
    return f'{{"newProducers": {rng.randrange(5)}, "newSoldiers": {rng.randrange(5)}, "launchAttack": {attack}}}'


ENGINE = Engine(protocol, 2, _answer, turns=20_000, aim=20_000, options=lambda _: {"rounds": 1000})
