"""Compares two costs on a machine with other load: rounds of both alternate, so that a busy moment affects both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Compared:
    """Medians over all rounds."""

    floor: float
    cost: float
    ratio: float
    """Median of the cost divided by the floor of the same round; not exactly ``cost / floor``."""


def alternate(floor: Callable[[], float], cost: Callable[[], float], rounds: int) -> Compared:
    """Measure both alternately, ``rounds`` times."""
    return medians([(floor(), cost()) for _ in range(rounds)])


def medians(pairs: Sequence[tuple[float, float]]) -> Compared:
    """Compare a floor and a cost that were measured together, round by round."""
    return Compared(
        floor=median(bare for bare, _ in pairs),
        cost=median(ours for _, ours in pairs),
        ratio=median(ours / bare for bare, ours in pairs),
    )
