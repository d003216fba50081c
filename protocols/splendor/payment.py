"""What a card costs a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import COST, GOLD

if TYPE_CHECKING:
    from .state import Player


def payment(player: Player, card: int) -> list[int]:
    """The six counts of chips that buying this card takes from the player: per colour what the bonuses
    leave, in chips of that colour as far as they go, the rest in gold. The player may hold too little
    gold for it (see :func:`affordable`)."""
    chips = player.chips
    bonuses = player.bonuses
    paid = [0, 0, 0, 0, 0, 0]
    for colour, price in enumerate(COST[card]):
        due = price - bonuses[colour]
        if due > 0:
            held = chips[colour]
            if due > held:
                paid[GOLD] += due - held
                due = held
            paid[colour] = due
    return paid


def affordable(player: Player, card: int) -> bool:
    """Whether the player can pay for this card."""
    return payment(player, card)[GOLD] <= player.chips[GOLD]
