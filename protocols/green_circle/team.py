"""One team: its location and its cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .cards import TECHNICAL_DEBT


@dataclass(slots=True)
class Team:
    """The state of one seat. Hands are in the order in which the cards arrived."""

    seat: int
    draw: list[int]
    """The draw pile; its last card is drawn first."""
    orders: list[Sequence[int]] = field(default_factory=list)
    """Given orders for the coming reshuffles, the last one first; the first card of each is drawn first."""
    reshuffled: list[list[int]] = field(default_factory=list)
    """The order of the cards after each reshuffle so far, as :attr:`orders` are given."""
    location: int = -1
    score: int = 0
    hand: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    """Cards played this turn; a reshuffle leaves them out."""
    automated: list[int] = field(default_factory=list)
    permanent: list[int] = field(default_factory=list)
    """Played DAILY_ROUTINE and ARCHITECTURE_STUDY cards, until the next release."""

    def skills_in_hand(self) -> list[int]:
        """Return the cards in hand except technical debt."""
        return [card for card in self.hand if card != TECHNICAL_DEBT]

    def debt(self) -> int:
        """Return the number of technical debt cards owned."""
        return self.hand.count(TECHNICAL_DEBT) + self.draw.count(TECHNICAL_DEBT) + self.discard.count(TECHNICAL_DEBT)
