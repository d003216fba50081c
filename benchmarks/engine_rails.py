"""The rules of Rails on the largest map: each seat builds from town to town, at once or track by track, and disrupts now and
then."""

from __future__ import annotations

import random

from arbiter.game import Game
from arbiter.protocols.rails import protocol
from benchmarks.engine import Engine


def _answer(game: Game, _: int, __: str, whims: random.Random) -> str:
    view = game.view()
    assert isinstance(view, dict)
    here, there = whims.sample(view["towns"], 2)
    orders = [f"AUTOPLACE {here['x']} {here['y']} {there['x']} {there['y']}"]
    if whims.random() < 0.3:
        orders = [f"PLACE_TRACKS {here['x'] + whims.randrange(4)} {here['y']}" for _ in range(3)]
    if whims.random() < 0.5:
        orders.append(f"DISRUPT {whims.randrange(60)}")
    return ";".join(orders)


ENGINE = Engine(protocol, 2, _answer, turns=2_000, aim=400, options=lambda _: {"height": 20})
