"""A turn in the order of the rulebook: the stages of :func:`play_turn` from top to bottom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .actions import BUY, RESERVE, Action, gains
from .cards import BONUS, LEVEL, NOBLE_NEEDS, NOBLE_POINTS, POINTS
from .payment import payment
from .state import GOAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .state import Player, Position


def play_turn(position: Position, action: Action | None, max_rounds: int) -> None:
    """Play the turn of the seat to move: a legal action, or None for a pass, in which no noble visits either."""
    if action is not None:
        player = position.players[position.seat]
        act(position, player, action)
        return_chips(position, player, action.returned)
        welcome_noble(position, player)
    pass_on(position, max_rounds)


def act(position: Position, player: Player, action: Action) -> None:
    """Buy a card, reserve one and take a gold if there is any, or take chips."""
    if action.kind == BUY:
        buy(position, player, action.card)
    elif action.kind == RESERVE:
        reserve(position, player, action.card)
    take(position, player, gains(position, action))


def take(position: Position, player: Player, colours: Sequence[int]) -> None:
    """Move chips from the bank to the player."""
    for colour in colours:
        position.bank[colour] -= 1
        player.chips[colour] += 1


def return_chips(position: Position, player: Player, colours: Sequence[int]) -> None:
    """Move chips from the player to the bank."""
    for colour in colours:
        player.chips[colour] -= 1
        position.bank[colour] += 1


def reserve(position: Position, player: Player, card: int) -> None:
    """Move a face-up card, or for -1, -2, -3 the top card of a deck, to the player's reserve."""
    if card < 0:
        card = position.decks[-card - 1].pop()
        player.secret.add(card)
    else:
        lift(position, card)
    player.reserve.append(card)


def buy(position: Position, player: Player, card: int) -> None:
    """Pay for a face-up or reserved card and add it to the player's cards."""
    bank = position.bank
    chips = player.chips
    for colour, paid in enumerate(payment(player, card)):
        if paid:
            chips[colour] -= paid
            bank[colour] += paid
    if card in player.reserve:
        player.reserve.remove(card)
        player.secret.discard(card)
    else:
        lift(position, card)
    player.cards.append(card)
    player.bonuses[BONUS[card]] += 1
    player.points += POINTS[card]


def lift(position: Position, card: int) -> None:
    """Remove a face-up card from its slot and replace it with the top card of its deck, if there is one."""
    level = LEVEL[card] - 1
    row = position.rows[level]
    deck = position.decks[level]
    row[row.index(card)] = deck.pop() if deck else 0


def welcome_noble(position: Position, player: Player) -> None:
    """Give the player the first noble on the table whose needs the bonuses meet; at most one per turn."""
    red, green, blue, white, black = player.bonuses
    for noble in position.nobles:
        needs = NOBLE_NEEDS[noble]
        if red >= needs[0] and green >= needs[1] and blue >= needs[2] and white >= needs[3] and black >= needs[4]:
            position.nobles.remove(noble)
            player.nobles.append(noble)
            player.points += NOBLE_POINTS
            return


def pass_on(position: Position, max_rounds: int) -> None:
    """Pass the turn to the next seat. After a full round, end the game or start a new round."""
    position.seat += 1
    if position.seat < len(position.players):
        return
    position.seat = 0
    if goal_reached(position) or position.round >= max_rounds:
        position.over = True
    else:
        position.round += 1


def goal_reached(position: Position) -> bool:
    """Whether a player has the points that end the game."""
    return any(player.points >= GOAL for player in position.players)
