"""Random play for ``arbiter check``, and what is unusual in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from arbiter.game import Corpus, Variant

from .game import RailsGame
from .generate import LARGEST, SMALLEST

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from arbiter.game import Game


class RailsCorpus(Corpus):
    """Maps of all sizes, some of which are inked out quickly."""

    variants: ClassVar[Sequence[Variant]] = (
        Variant(2),
        Variant(2, {"height": SMALLEST}),
        Variant(2, {"height": LARGEST}),
        Variant(2, {"height": SMALLEST, "ink_threshold": 1}),
        Variant(2, {"turns": 5, "places_of_interest": False}),
    )

    def move(self, game: Game, seat: int, rng: random.Random) -> str:
        """Build towards a town, and disrupt a region in one turn of two."""
        assert isinstance(game, RailsGame)
        chart = game.chart
        source, target = rng.choice(chart.towns), rng.choice(chart.towns)
        orders = [f"AUTOPLACE {source.x} {source.y} {target.x} {target.y}"]
        if rng.random() < 0.5:
            orders.append(f"DISRUPT {rng.randrange(len(game.state.inked))}")
        return game.read(seat, ";".join(orders)).text

    def features(self, game: Game, seat: int) -> Iterator[str]:
        assert isinstance(game, RailsGame)
        state = game.state
        yield f"a map of {game.chart.height} rows"
        inked = sum(state.inked)
        if inked:
            yield "an inked region"
        if inked > 3:
            yield "more than three inked regions"
        if inked > len(state.inked) // 2:
            yield "most regions are inked"
        if state.ink_threshold - 1 in state.instability:
            yield "a region about to be inked out"
        owners = set(state.network.owner)
        for owner, what in ((seat, "own tracks"), (1 - seat, "tracks of the opponent"), (2, "shared tracks")):
            if owner in owners:
                yield what
        connections = sum(route is not None for route in state.routes)
        if connections:
            yield "an active connection"
        if connections > 5:
            yield "more than five connections"
        if state.quests[seat]:
            yield "the side quest is fulfilled"
        if state.turn >= state.last_turn - 1:
            yield "the last turn"
