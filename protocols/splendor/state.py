"""The position: the table and the players."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

GOAL: Final = 15
"""Points that make the current round the last."""
MOST_CHIPS: Final = 10
MOST_RESERVED: Final = 3
FACE_UP: Final = 4
"""Slots for face-up cards of each level."""

CHIPS_PER_COLOUR: Final = (0, 4, 4, 5, 7)
"""By number of players."""
GOLD_CHIPS: Final = 5
NOBLES_DRAWN: Final = (0, 2, 3, 4, 5)
"""By number of players."""


@dataclass(slots=True)
class Player:
    """What one seat owns. Lists of ids are in the order of acquisition."""

    chips: list[int] = field(default_factory=lambda: [0] * 6)
    bonuses: list[int] = field(default_factory=lambda: [0] * 5)
    cards: list[int] = field(default_factory=list)
    reserve: list[int] = field(default_factory=list)
    secret: set[int] = field(default_factory=set)
    """The cards of the reserve that came from the top of a deck: other players know only their level."""
    nobles: list[int] = field(default_factory=list)
    points: int = 0


@dataclass(slots=True)
class Position:
    """The whole state of a game."""

    bank: list[int]
    decks: list[list[int]]
    """Face-down cards per level; the top card is last in its list."""
    rows: list[list[int]]
    """Four slots per level; 0 is an empty slot, which is never filled again."""
    nobles: list[int]
    players: list[Player]
    round: int = 1
    seat: int = 0
    """Whose turn it is."""
    over: bool = False


def face_up(position: Position) -> list[int]:
    """Return the face-up cards, level by level, slot by slot."""
    return [card for row in position.rows for card in row if card]
