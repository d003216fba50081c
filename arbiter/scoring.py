"""What a finished game is worth to each seat: win, draw or loss, and points. Everything here follows from the ranks.

Rank 1 is best, tied seats share a rank, and a game that nobody won has no rank 1. A table may have a single seat: the
agent then wins by reaching rank 1 and loses otherwise, since there is nobody to draw with.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum


class SeatResult(StrEnum):
    """The result of a game for one seat."""

    WON = "won"
    """Rank 1, not shared."""
    DREW = "drew"
    """Rank 1 shared with another seat, or a game of several seats that nobody won."""
    LOST = "lost"


def seat_result(ranks: Sequence[int], seat: int) -> SeatResult:
    """Return whether a seat won, drew or lost."""
    winners = ranks.count(1)
    if ranks[seat] == 1:
        return SeatResult.WON if winners == 1 else SeatResult.DREW
    return SeatResult.DREW if winners == 0 and len(ranks) > 1 else SeatResult.LOST


def points(ranks: Sequence[int], seat: int) -> float:
    """Return the points of a seat, from 0 to 1: the share of opponents ranked behind it, ties counting half.

    With two seats that is 1, 0.5 or 0. With one seat it is 1 for rank 1 and 0 otherwise.
    """
    if len(ranks) == 1:
        return float(ranks[0] == 1)
    own = ranks[seat]
    return sum(head_to_head(own, other) for place, other in enumerate(ranks) if place != seat) / (len(ranks) - 1)


def head_to_head(own_rank: int, other_rank: int) -> float:
    """Return what one seat scores against another: 1 if ranked ahead, 0.5 if tied, 0 if behind."""
    return 0.5 if own_rank == other_rank else float(own_rank < other_rank)
