"""How much to measure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """From the command line."""

    moves: int
    """Of the busy runs, each."""
    games: int
    """After which the memory of a worker is looked at a second time."""
    fuzz: int
    """Answers to fuzz each game's reader with."""
