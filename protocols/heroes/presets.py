"""The constants of the game, per preset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Constants:
    """Prices, in life except where gold is stated."""

    drink_gold: int
    """Price of a drink."""
    drink_life: int
    """Life that a drink restores."""
    mine: int
    """Cost of taking a mine."""
    hit: int
    """Life that every neighbour loses in a fight."""
    spikes: int
    """Cost of stepping on spikes; 0 where there are none."""
    thirst: int
    """Cost of a ply; it never kills."""
    life: int
    """Life at the start and after a respawn; also the maximum."""


PRESETS: Final = {
    "contest": Constants(drink_gold=1, drink_life=25, mine=25, hit=25, spikes=10, thirst=1, life=100),
    "vindinium": Constants(drink_gold=2, drink_life=50, mine=20, hit=20, spikes=0, thirst=1, life=100),
}
