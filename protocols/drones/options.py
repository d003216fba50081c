"""The options of GameOfDrones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arbiter.game import BadSetup, Option

if TYPE_CHECKING:
    from arbiter.game import Options

MOST_TURNS: Final = 40
MOST_STARTING_PRODUCERS: Final = 1000
"""Units can double every turn. With these limits, every count is exact in every language (below 2**53)."""

OPTIONS: Final = (
    Option("rounds", 10, "rounds per match; all of them are played", minimum=1, maximum=1_000_000),
    Option("turns", 10, "turns per round, if neither side attacks", minimum=1, maximum=MOST_TURNS),
    Option(
        "starting_producers",
        1,
        "producers of each side when a round starts",
        minimum=1,
        maximum=MOST_STARTING_PRODUCERS,
    ),
    Option("defender_bonus", 1, "soldiers added to the defender's own", minimum=0, maximum=1_000_000),
    Option(
        "field_tie",
        "coin",
        "equal soldiers in the field: coin compares all units, then tosses a coin; draw is a draw at once",
        choices=("coin", "draw"),
    ),
    Option(
        "match_tie", "draw", "equal rounds won: draw is a drawn match; coin tosses a coin", choices=("draw", "coin")
    ),
    Option("fractional_units", False, "keep fractions of units instead of rounding them down"),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one match."""

    rounds: int
    turns: int
    starting_producers: int
    defender_bonus: int
    field_tie_is_draw: bool
    draw_allowed: bool
    """Whether the match itself may end in a draw."""
    fractional_units: bool


def settings(options: Options) -> Settings:
    """Check the given options and fill in defaults. Raises BadSetup."""
    try:
        chosen = {option.name: option.check(options.get(option.name, option.default)) for option in OPTIONS}
    except ValueError as wrong:
        raise BadSetup(str(wrong)) from None
    return Settings(
        rounds=int(chosen["rounds"]),
        turns=int(chosen["turns"]),
        starting_producers=int(chosen["starting_producers"]),
        defender_bonus=int(chosen["defender_bonus"]),
        field_tie_is_draw=chosen["field_tie"] == "draw",
        draw_allowed=chosen["match_tie"] == "draw",
        fractional_units=bool(chosen["fractional_units"]),
    )
