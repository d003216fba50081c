"""Where a match stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

SEATS: Final = (0, 1)

Units = int | float
"""How many units: whole, unless the option fractional_units is on."""

SettledBy = Literal["attack", "soldiers", "units", "coin", "nothing"]
"""What decided a clash; ``nothing`` if it was a draw."""


@dataclass(frozen=True, slots=True)
class Clash:
    """The end of a round. Everything hidden is open now."""

    round: int
    turns_played: int
    attacked: tuple[bool, bool]
    """Who chose to attack in the last turn: neither, if time was up."""
    producers: tuple[Units, Units]
    soldiers: tuple[Units, Units]
    winner: int | None
    """None for a draw."""
    settled_by: SettledBy


class Position:
    """A match in progress."""

    __slots__ = (
        "draws",
        "last_clash",
        "match_coin",
        "over",
        "producers",
        "round",
        "soldiers",
        "starting_producers",
        "turn",
        "turns_played",
        "winners",
        "wins",
    )

    def __init__(self, starting_producers: int) -> None:
        self.starting_producers = starting_producers
        self.round = 1
        self.turn = 1
        """Of the round, the one that is about to be played."""
        self.producers: list[Units] = [starting_producers, starting_producers]
        self.soldiers: list[Units] = [0, 0]
        self.wins = [0, 0]
        self.draws = 0
        self.winners: list[int | None] = []
        """Of every round that is over; None for a draw."""
        self.turns_played = 0
        """In all rounds that are over."""
        self.last_clash: Clash | None = None
        self.match_coin: int | None = None
        """The seat for which the coin fell in a match that ended even."""
        self.over = False

    def start_round(self) -> None:
        """Everybody back to the start."""
        self.round += 1
        self.turn = 1
        self.producers = [self.starting_producers, self.starting_producers]
        self.soldiers = [0, 0]
