"""The value of a finished game for each seat: win, draw or loss, and points. Both follow from the ranks; points also depend on
the scoring of the contest.

Rank 1 is best, and tied seats share a rank. A game that nobody won has no rank 1: every seat loses it and gets no points, even
one that was ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal, get_args

Scoring = Literal["places", "winner"]
"""How a contest turns ranks into points: ``places`` counts the opponents ranked behind, ``winner`` gives one point to the
winner, shared equally if several seats are tied for first place."""
SCORINGS: tuple[Scoring, ...] = get_args(Scoring)


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


def points(ranks: Sequence[int], seat: int, scoring: Scoring) -> float:
    """Return the points of a seat, from 0 to 1.

    By ``places`` these are the share of opponents ranked behind it, ties counting half; by ``winner``, 1 for the winner and
    0 for the others. With two seats both give 1, 0.5 or 0, and with one seat 1 for rank 1 and 0 otherwise. A game that
    nobody won gives 0.
    """
    if scoring == "winner" or len(ranks) == 1:
        return 1 / ranks.count(1) if ranks[seat] == 1 else 0.0
    return sum(points_against(ranks, seat, other) for other in range(len(ranks)) if other != seat) / (len(ranks) - 1)


def points_against(ranks: Sequence[int], seat: int, other: int) -> float:
    """Return the points of a seat against another one: 1 if ranked ahead, 0.5 if tied, 0 if behind or if nobody won."""
    return compare_ranks(ranks[seat], ranks[other]) if 1 in ranks else 0.0


def compare_ranks(own_rank: int, other_rank: int) -> float:
    """Compare two seats, for ratings: 1 if ranked ahead, 0.5 if tied, 0 if behind, regardless of who won the game."""
    return 0.5 if own_rank == other_rank else float(own_rank < other_rank)
