"""How a game ended."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

Json = Any
"""Plain data that survives a round trip through JSON: dict, list, str, int, float, bool, None."""

Score = TypeVar("Score", float, tuple[float, ...])


class Result(msgspec.Struct, frozen=True):
    """The outcome of a finished game."""

    ranks: tuple[int, ...]
    """Per seat; 1 is best, and tied seats share a rank. If no seat won, none has rank 1."""
    scores: tuple[float, ...]
    """Per seat, in the points of the protocol."""
    reason: str
    """One line: why the game ended."""
    data: Mapping[str, Json] = msgspec.field(default_factory=dict)
    """More plain data for standings and viewers: per-seat lists by name, such as the score in a side quest."""


def ranks_from_scores(scores: Sequence[Score], *, defeated: Collection[int] = ()) -> tuple[int, ...]:
    """Return the rank of each seat by standard competition ranking: the highest score is first, equal scores share a rank.

    A score is a number, or a tuple whose later items break ties. ``defeated`` seats lose whatever they scored: they share
    the rank behind all other seats, and rank 2 if no seat is left to win.
    """
    standing = [score for seat, score in enumerate(scores) if seat not in defeated]
    last = max(1, len(standing)) + 1
    return tuple(
        last if seat in defeated else 1 + sum(other > score for other in standing) for seat, score in enumerate(scores)
    )
