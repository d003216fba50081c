"""Moves and events in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .actions import BUY, PASS, RESERVE, action_of, gains
from .cards import BONUS, COLOURS, LEVEL, POINTS
from .payment import payment
from .state import GOAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .state import Player, Position


def describe(position: Position, seat: int, move: str) -> str:
    """Describe a canonical move before it is played. A card taken from a deck is not named."""
    if move == PASS:
        return "passes"
    action = action_of([int(word) for word in move.split()])
    player = position.players[seat]
    if action.kind == BUY:
        return _purchase(player, action.card)
    gained = gains(position, action)
    text = _reservation(action.card, bool(gained)) if action.kind == RESERVE else f"takes {_chips(gained)}"
    return f"{text}, returns {_chips(action.returned)}" if action.returned else text


def _reservation(card: int, gold: bool) -> str:
    if card < 0:
        what = f"the top card of the level {-card} deck"
    else:
        what = f"card {card} (level {LEVEL[card]}, {COLOURS[BONUS[card]]}, {points(POINTS[card])})"
    return f"reserves {what} and takes a gold" if gold else f"reserves {what}; no gold is left"


def _purchase(player: Player, card: int) -> str:
    paid = [f"{count} {COLOURS[colour]}" for colour, count in enumerate(payment(player, card)) if count]
    source = " from the reserve" if card in player.reserve else ""
    price = ", ".join(paid) if paid else "nothing"
    return f"buys card {card} ({COLOURS[BONUS[card]]}, {points(POINTS[card])}){source} for {price}"


def _chips(colours: Sequence[int]) -> str:
    if not colours:
        return "nothing"
    counts = {colour: colours.count(colour) for colour in colours}
    return ", ".join(
        COLOURS[colour] if count == 1 else f"{count} {COLOURS[colour]}" for colour, count in counts.items()
    )


def points(count: int) -> str:
    """ "1 point", "2 points"."""
    return "1 point" if count == 1 else f"{count} points"


class Before(NamedTuple):
    """What :func:`events` needs from the position before a turn."""

    seat: int
    nobles: int
    decks: tuple[int, ...]


def remember(position: Position) -> Before:
    """Capture what :func:`events` needs; call it before a turn is played."""
    player = position.players[position.seat]
    return Before(position.seat, len(player.nobles), tuple(map(len, position.decks)))


def events(before: Before, position: Position, max_rounds: int) -> list[str]:
    """Describe what happened in the turn besides the move itself."""
    player = position.players[before.seat]
    happened = []
    for level, (earlier, deck) in enumerate(zip(before.decks, position.decks, strict=True), 1):
        if earlier and not deck:
            happened.append(f"The level {level} deck is empty")
    if len(player.nobles) > before.nobles:
        happened.append(f"Noble {player.nobles[-1]} visits seat {before.seat}")
    others = [other.points for seat, other in enumerate(position.players) if seat != before.seat]
    if player.points >= GOAL and max(others, default=0) < GOAL:
        happened.append(f"Seat {before.seat} has {player.points} points: round {position.round} is the last round")
    elif position.seat == 0 and position.round == max_rounds and not position.over:
        happened.append(f"Round {max_rounds} is the last round, whatever the points")
    return happened
