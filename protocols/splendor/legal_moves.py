"""Lists every legal move of a seat, for people who play by click, for tests and for random play.

checks.py decides whether one given action is legal.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from .cards import GOLD, LEVELS
from .payment import affordable
from .state import MOST_CHIPS, MOST_RESERVED, face_up
from .wire import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .game import SplendorGame
    from .state import Player, Position


def legal_moves(game: SplendorGame, seat: int) -> list[str]:
    """Return every legal move of a seat in canonical text, once each.

    Agents may name colours in any order; here the taken and the returned ones are each in ascending order,
    which leaves out only other spellings of the same moves. There is always at least one: ``1 0``.
    """
    position = game.position
    player = position.players[seat]
    colours = range(GOLD + 1 if game.settings.return_gold else GOLD)
    chip_actions = (*_takes(position), *_pairs(position), *_reservations(position, player))
    moves = [
        canonical([*spelt, *returned])
        for spelt, gained in chip_actions
        for returned in returns(player.chips, gained, colours)
    ]
    buyable = [*face_up(position), *player.reserve]
    return moves + [canonical((4, card)) for card in buyable if affordable(player, card)]


def _takes(position: Position) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    in_bank = [colour for colour in range(GOLD) if position.bank[colour]]
    for count in range(4):
        for taken in combinations(in_bank, count):
            yield (1, count, *taken), taken


def _pairs(position: Position) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    for colour in range(GOLD):
        if position.bank[colour] >= 4:
            yield (2, colour), (colour, colour)


def _reservations(position: Position, player: Player) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    if len(player.reserve) == MOST_RESERVED:
        return
    gold = (GOLD,) if position.bank[GOLD] else ()
    decks = [-level for level in LEVELS if position.decks[level - 1]]
    for card in (*face_up(position), *decks):
        yield (3, card), gold


def returns(chips: Sequence[int], gained: Sequence[int], colours: Sequence[int]) -> list[tuple[int, ...]]:
    """Return every choice of chips of these colours that brings a hand back to ten, each in ascending order;
    only the empty choice if the hand holds no more than ten."""
    hand = list(chips)
    for colour in gained:
        hand[colour] += 1
    due = sum(hand) - MOST_CHIPS
    if due <= 0:
        return [()]
    held = [colour for colour in colours if hand[colour]]
    choices = combinations_with_replacement(held, due)
    return [choice for choice in choices if all(choice.count(colour) <= hand[colour] for colour in set(choice))]
