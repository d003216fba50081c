"""Comparing two costs on a machine that is never quite quiet: rounds of both alternate, so that a busy moment hits both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Compared:
    """Medians over all rounds."""

    floor: float
    cost: float
    ratio: float
    """Of the cost to the floor of the same round; not quite that of the other two."""


def alternate(floor: Callable[[], float], cost: Callable[[], float], rounds: int) -> Compared:
    """Measure both in turn, so many times."""
    pairs = [(floor(), cost()) for _ in range(rounds)]
    return Compared(
        floor=median(bare for bare, _ in pairs),
        cost=median(ours for _, ours in pairs),
        ratio=median(ours / bare for bare, ours in pairs),
    )
