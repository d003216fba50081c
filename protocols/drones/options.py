"""The options of GameOfDrones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arbiter.game import option

MOST_TURNS: Final = 40
MOST_STARTING_PRODUCERS: Final = 1000
"""Units can double every turn. With these limits, every count is exact in every language (below 2**53)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one match."""

    rounds: int = option(10, "rounds per match; all of them are played", minimum=1, maximum=1_000_000)
    turns: int = option(10, "turns per round, if neither side attacks", minimum=1, maximum=MOST_TURNS)
    starting_producers: int = option(
        1, "producers of each side when a round starts", minimum=1, maximum=MOST_STARTING_PRODUCERS
    )
    defender_bonus: int = option(1, "soldiers added to the defender's own", minimum=0, maximum=1_000_000)
    field_tie: str = option(
        "coin",
        "equal soldiers in the field: coin compares all units, then tosses a coin; draw is a draw at once",
        choices=("coin", "draw"),
    )
    match_tie: str = option(
        "draw", "equal rounds won: draw is a drawn match; coin tosses a coin", choices=("draw", "coin")
    )
    fractional_units: bool = option(False, "keep fractions of units instead of rounding them down")
