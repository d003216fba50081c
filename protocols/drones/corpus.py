"""Random play for ``arbiter check``, and what is unusual in a position."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar

from arbiter.game import Corpus, Variant

from .game import DronesGame

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from arbiter.game import Game

_MANY = 1_000_000


class DronesCorpus(Corpus):
    """Matches with fractions of units, with very many units, and of a single turn."""

    variants: ClassVar[Sequence[Variant]] = (
        Variant(2),
        Variant(2, {"fractional_units": True, "rounds": 4}),
        Variant(2, {"turns": 40, "starting_producers": 1000, "rounds": 3}),
        Variant(2, {"rounds": 1, "turns": 1}),
        Variant(2, {"field_tie": "draw", "match_tie": "coin", "rounds": 4}),
    )

    def move(self, game: Game, seat: int, rng: random.Random) -> str:
        """Breed and train at random, and attack once per round or so."""
        assert isinstance(game, DronesGame)
        capacity = game.position.producers[seat]
        share = rng.random()
        asked = [capacity * share, capacity * (1 - share)]
        if not game.settings.fractional_units:
            asked = [round(count) for count in asked]
        names = ("newProducers", "newSoldiers")
        answer = dict(zip(names, asked, strict=True)) | {"launchAttack": rng.random() < 1 / game.settings.turns}
        return game.read(seat, json.dumps(answer)).text

    def features(self, game: Game, seat: int) -> Iterator[str]:
        assert isinstance(game, DronesGame)
        position, settings = game.position, game.settings
        units = (position.producers[seat], position.soldiers[seat])
        if any(count != int(count) for count in units):
            yield "fractions of units"
        if max(units) >= _MANY:
            yield "more than a million units"
        if position.turn == 1:
            yield "the first turn of the match" if position.round == 1 else "a round has just ended"
            if position.last_clash and position.last_clash.winner is None:
                yield "the last round was a draw"
            if position.last_clash and any(position.last_clash.attacked):
                yield "the last round ended with an attack"
        if position.turn == settings.turns:
            yield "the last turn of a round"
        if position.round == settings.rounds:
            yield "the last round"
        if not position.soldiers[seat]:
            yield "no soldiers"
