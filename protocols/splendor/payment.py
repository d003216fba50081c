"""The price of a card for a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import COST, GOLD

if TYPE_CHECKING:
    from .state import Player


def payment(player: Player, card: int) -> list[int]:
    """Return the chips, counted by colour, that the player pays for this card.

    Bonuses are deducted first, then chips of each colour are spent, and gold covers the rest. The player may hold
    too little gold for it (see :func:`affordable`).
    """
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
