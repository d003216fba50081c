"""Random play for ``arbiter check``, and what is unusual in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from arbiter.game import Corpus, Variant

from .cards import GOLD
from .game import SplendorGame
from .legal_moves import legal_moves
from .payment import affordable
from .state import GOAL, MOST_CHIPS, MOST_RESERVED, face_up

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from arbiter.game import Game

_BUYS, _RESERVES = "4", "3"


class SplendorCorpus(Corpus):
    """Games of one to four players, some of which hoard chips and cards."""

    variants: ClassVar[Sequence[Variant]] = (
        *(Variant(seats) for seats in (2, 4, 3, 1)),
        Variant(2, {"return_gold": False}),
        Variant(2, {"max_rounds": 4}),
    )

    def move(self, game: Game, seat: int, rng: random.Random) -> str:
        """Buy mostly, so that games end; but every second seat likes to reserve, which empties decks."""
        assert isinstance(game, SplendorGame)
        moves = legal_moves(game, seat)
        liked = _BUYS if seat % 2 or rng.random() < 0.5 else _RESERVES
        favourites = [move for move in moves if move[0] == liked]
        return rng.choice(favourites if favourites and rng.random() < 0.8 else moves)

    def features(self, game: Game, seat: int) -> Iterator[str]:
        assert isinstance(game, SplendorGame)
        position = game.position
        player = position.players[seat]
        yield f"{len(position.players)} players" if len(position.players) > 1 else "a player alone"
        if sum(player.chips) >= MOST_CHIPS - 1:
            yield "chips to return"
        if player.chips[GOLD] and sum(player.chips) >= MOST_CHIPS - 1:
            yield "chips to return, gold in hand"
        if len(player.reserve) == MOST_RESERVED:
            yield "a full reserve"
        if player.secret:
            yield "a card reserved from a deck"
        if any(other.secret for other in position.players if other is not player):
            yield "an opponent's hidden card"
        if not position.bank[GOLD]:
            yield "no gold in the bank"
        if sum(1 for chips in position.bank[:GOLD] if chips) < 3:
            yield "fewer than three colours in the bank"
        for level, deck in enumerate(position.decks, 1):
            if not deck:
                yield f"deck {level} is empty"
        if len(face_up(position)) < 12:
            yield "an empty slot"
        if any(other.points >= GOAL for other in position.players):
            yield "the last round"
        if player.nobles:
            yield "a noble has come"
        if position.round >= game.settings.max_rounds - 1:
            yield "the round limit"
        if not any(affordable(player, card) for card in (*face_up(position), *player.reserve)):
            yield "nothing to buy"
