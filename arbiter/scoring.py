"""What a finished game is worth to each seat: win, draw or loss, and points. Everything here follows from the ranks.

Rank 1 is best, tied seats share a rank, and a game that nobody won has no rank 1: every seat loses it and gets nothing, even
if one of them was ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum


class SeatResult(StrEnum):
    """The result of a game for one seat."""

    WON = "won"
    """Rank 1, not shared."""
    DREW = "drew"
    """Rank 1, shared with another seat."""
    LOST = "lost"


def seat_result(ranks: Sequence[int], seat: int) -> SeatResult:
    """Return whether a seat won, drew or lost."""
    if ranks[seat] != 1:
        return SeatResult.LOST
    return SeatResult.WON if ranks.count(1) == 1 else SeatResult.DREW


def points(ranks: Sequence[int], seat: int) -> float:
    """Return the points of a seat, from 0 to 1: the share of opponents ranked behind it, ties counting half.

    With two seats that is 1, 0.5 or 0. With one seat it is 1 for rank 1 and 0 otherwise. A game that nobody won gives 0.
    """
    if len(ranks) == 1 or 1 not in ranks:
        return float(ranks[seat] == 1)
    own = ranks[seat]
    return sum(head_to_head(own, other) for place, other in enumerate(ranks) if place != seat) / (len(ranks) - 1)


def head_to_head(own_rank: int, other_rank: int) -> float:
    """Return which of two seats did better, for ratings: 1 if ranked ahead, 0.5 if tied, 0 if behind, whoever won."""
    return 0.5 if own_rank == other_rank else float(own_rank < other_rank)
