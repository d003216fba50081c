"""Random play for ``arbiter check``, and what is unusual in a position."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import ClassVar

from arbiter.game import Corpus, Game, Variant

from .game import Tron
from .rules import STEPS


class TronCorpus(Corpus):
    """Riders that avoid walls while they can."""

    variants: ClassVar[Sequence[Variant]] = (
        Variant(2),
        Variant(3),
        Variant(4),
        Variant(2, {"width": 6, "height": 6}),
        Variant(4, {"width": 60, "height": 20}),
    )

    def move(self, game: Game, seat: int, rng: random.Random) -> str:
        assert isinstance(game, Tron)
        open_ways = [word for word in STEPS if game.grid.free(game.grid.target(seat, word))]
        return rng.choice(open_ways or list(STEPS))

    def features(self, game: Game, seat: int) -> Iterator[str]:
        assert isinstance(game, Tron)
        yield f"{len(game.grid.riders)} riders"
        ways = sum(game.grid.free(game.grid.target(seat, word)) for word in STEPS)
        yield ("no way out", "one way out", "two ways", "three ways", "all four ways")[ways]
        if len(game.grid.riding()) < len(game.grid.riders):
            yield "a rider has crashed"
