"""How much to measure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Options from the command line."""

    moves: int
    """Moves of each run on busy cores."""
    games: int
    """Games after which the memory of a worker is measured."""
    fuzz: int
    """Fuzzed answers for each protocol."""
