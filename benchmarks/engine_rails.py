"""The rules of Rails on the largest map: each seat connects towns, with AUTOPLACE or track by track, and sometimes
disrupts."""

from __future__ import annotations

import random

from arbiter.game import Game
from benchmarks.engine import Engine
from protocols.rails import protocol


def _answer(game: Game, _: int, __: str, rng: random.Random) -> str:
    view = game.view()
    assert isinstance(view, dict)
    here, there = rng.sample(view["towns"], 2)
    orders = [f"AUTOPLACE {here['x']} {here['y']} {there['x']} {there['y']}"]
    if rng.random() < 0.3:
        orders = [f"PLACE_TRACKS {here['x'] + rng.randrange(4)} {here['y']}" for _ in range(3)]
    if rng.random() < 0.5:
        orders.append(f"DISRUPT {rng.randrange(60)}")
    return ";".join(orders)


ENGINE = Engine(protocol, 2, _answer, turns=2_000, aim=400, options=lambda _: {"height": 20})
