"""Checks one action and names the rule that it breaks. Reasons never reveal more than the player may know.

legal_moves.py lists all legal moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import IllegalMove

from .actions import BUY, RESERVE, TAKE_TWO, Action, gains
from .cards import COLOURS, GOLD, LEVEL
from .payment import payment
from .state import MOST_CHIPS, MOST_RESERVED

if TYPE_CHECKING:
    from .state import Player, Position

_ENOUGH_FOR_TWO = 4


def check(position: Position, player: Player, action: Action, return_gold: bool) -> None:
    """Raise IllegalMove, naming the rule broken, unless the player may take this action now."""
    if action.kind == BUY:
        _check_purchase(position, player, action)
        return
    if action.kind == RESERVE:
        _check_reservation(position, player, action.card)
    elif action.kind == TAKE_TWO:
        _check_pair(position, action.taken[0])
    else:
        _check_different(position, action)
    _check_return(position, player, action, return_gold)


def _check_different(position: Position, action: Action) -> None:
    taken = action.taken
    for place, colour in enumerate(taken):
        _check_takeable(colour)
        if colour in taken[:place]:
            raise IllegalMove(f"action 1 takes different colours; '{colour}' ({COLOURS[colour]}) is named twice")
        if not position.bank[colour]:
            raise IllegalMove(f"the bank has no chip of colour '{colour}' ({COLOURS[colour]})")


def _check_pair(position: Position, colour: int) -> None:
    _check_takeable(colour)
    left = position.bank[colour]
    if left < _ENOUGH_FOR_TWO:
        raise IllegalMove(
            f"two chips of one colour may only be taken from a pile of {_ENOUGH_FOR_TWO} or more; "
            f"colour '{colour}' ({COLOURS[colour]}) has {left}"
        )


def _check_takeable(colour: int) -> None:
    if colour == GOLD:
        raise IllegalMove(f"gold ('{GOLD}') cannot be taken; it only comes with a reservation")
    if not 0 <= colour < GOLD:
        raise IllegalMove(f"unknown colour '{colour}'; choose from 0 to 4")


def _check_reservation(position: Position, player: Player, card: int) -> None:
    if len(player.reserve) >= MOST_RESERVED:
        raise IllegalMove(f"'{card}' cannot be reserved: the reserve already holds {MOST_RESERVED} cards")
    if -3 <= card <= -1:
        if not position.decks[-card - 1]:
            raise IllegalMove(f"'{card}' cannot be reserved: the level {-card} deck is empty")
    elif not _is_face_up(position, card):
        raise IllegalMove(f"'{card}' is neither a face-up card nor a deck (-1, -2, -3)")


def _check_purchase(position: Position, player: Player, action: Action) -> None:
    card = action.card
    if not (card in player.reserve or _is_face_up(position, card)):
        raise IllegalMove(f"'{card}' is neither a face-up card nor in the player's reserve")
    lacking = payment(player, card)[GOLD] - player.chips[GOLD]
    if lacking > 0:
        raise IllegalMove(f"card '{card}' cannot be paid for: short by {lacking}, gold included")
    if action.returned:
        raise IllegalMove(f"nothing may follow a purchase, but '{action.returned[0]}' does")


def _is_face_up(position: Position, card: int) -> bool:
    return 0 < card < len(LEVEL) and card in position.rows[LEVEL[card] - 1]


def _check_return(position: Position, player: Player, action: Action, return_gold: bool) -> None:
    gained = gains(position, action)
    returned = action.returned
    held = sum(player.chips) + len(gained)
    due = held - MOST_CHIPS
    if due <= 0:
        if returned:
            raise IllegalMove(
                f"with {held} chips in hand no chip may be returned, but '{returned[0]}' follows the move"
            )
        return
    if len(returned) != due:
        raise IllegalMove(f"{held} chips in hand: exactly {due} must be returned, not '{len(returned)}'")
    for colour in returned:
        if not 0 <= colour <= GOLD:
            raise IllegalMove(f"unknown colour '{colour}' to return; choose from 0 to {GOLD}")
        if colour == GOLD and not return_gold:
            raise IllegalMove(f"gold ('{GOLD}') may not be returned in this game")
        own = player.chips[colour] + gained.count(colour)
        if returned.count(colour) > own:
            raise IllegalMove(f"more chips of colour '{colour}' ({COLOURS[colour]}) are returned than the {own} held")
