"""The five games, as they are played here: with agents that answer at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from arbiter.game import OptionValue


@dataclass(frozen=True, slots=True)
class Played:
    """One of them."""

    name: str
    seats: int
    games: int
    """Of one measurement: some seconds on one core."""
    options: dict[str, OptionValue] = field(default_factory=dict)


FIVE = (
    Played("splendor", 2, 80, {"max_rounds": 25}),
    Played("green_circle", 2, 300),
    Played("rails", 2, 24),
    Played("heroes", 4, 60),
    Played("drones", 2, 300),
)
