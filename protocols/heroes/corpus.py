"""Random play for ``arbiter check``, and what is unusual in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from arbiter.game import Corpus, Variant

from .game import HeroesGame
from .maps import MINE, TAVERN
from .rules import COMPASS, DISCONNECT, STAY

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from arbiter.game import Game

_DISCONNECTS = 0.005
"""How likely a hero is to be disconnected in a ply."""


class HeroesCorpus(Corpus):
    """Short games on maps of all kinds, in which some heroes are disconnected."""

    variants: ClassVar[Sequence[Variant]] = (
        Variant(4, {"rounds": 60}),
        Variant(4, {"rounds": 60, "preset": "vindinium"}),
        *(Variant(4, {"rounds": 40, "map": f"m{number}"}) for number in range(1, 7)),
        Variant(4, {"rounds": 20, "size": 10}),
        Variant(4, {"rounds": 20, "size": 28}),
    )

    def move(self, game: Game, seat: int, rng: random.Random) -> str:
        """Walk at random, with a preference for mines and taverns next to the hero."""
        assert isinstance(game, HeroesGame)
        position = game.position
        if rng.random() < _DISCONNECTS:
            return DISCONNECT
        if rng.random() < 0.6:
            for word, cell in zip(COMPASS, position.board.around[position.heroes[seat].cell], strict=False):
                ground = position.board.ground[cell]
                if ground == TAVERN or (ground == MINE and position.owners[cell] != seat + 1):
                    return word
        return rng.choice((*COMPASS, STAY))

    def features(self, game: Game, seat: int) -> Iterator[str]:
        assert isinstance(game, HeroesGame)
        position = game.position
        own = position.heroes[seat]
        yield f"a map of {position.board.size} rows"
        gone = sum(not hero.connected for hero in position.heroes)
        if gone:
            yield f"{gone} disconnected heroes" if gone > 1 else "a disconnected hero"
        if own.life <= 20:
            yield "little life left"
        if own.respawned_in >= 0 and own.deaths:
            yield "has died before"
        if own.mines >= 3:
            yield "owns three mines"
        if position.owners and all(position.owners.values()):
            yield "every mine is taken"
        if any(other is not own and other.cell in position.board.around[own.cell] for other in position.heroes):
            yield "next to another hero"
        if position.ply >= position.plies - 4:
            yield "the last turn"
