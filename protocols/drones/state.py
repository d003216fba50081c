"""The position of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

SEATS: Final = (0, 1)

Units = int | float
"""A number of units: an integer, unless the option fractional_units is on."""

SettledBy = Literal["attack", "soldiers", "units", "coin", "nothing"]
"""What decided a clash; ``nothing`` if it was a draw."""


@dataclass(frozen=True, slots=True)
class Clash:
    """The end of a round, when everything hidden is revealed."""

    round: int
    turns_played: int
    attacked: tuple[bool, bool]
    """Which seats attacked in the last turn; neither, if time was up."""
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
        """The turn of the round that is about to be played."""
        self.producers: list[Units] = [starting_producers, starting_producers]
        self.soldiers: list[Units] = [0, 0]
        self.wins = [0, 0]
        self.draws = 0
        self.winners: list[int | None] = []
        """The winner of every finished round; None for a draw."""
        self.turns_played = 0
        """Turns played in all finished rounds."""
        self.last_clash: Clash | None = None
        self.match_coin: int | None = None
        """The seat that won the coin toss of a match with equal rounds won."""
        self.over = False

    def start_round(self) -> None:
        """Start the next round from scratch."""
        self.round += 1
        self.turn = 1
        self.producers = [self.starting_producers, self.starting_producers]
        self.soldiers = [0, 0]
