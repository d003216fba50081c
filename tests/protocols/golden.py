"""Golden transcripts: a whole game of each protocol, or two, as readable text.

``python -m tests.protocols.golden splendor`` rewrites that of Splendor.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

GAMES = ("drones", "green_circle", "heroes", "rails", "splendor")
"""The bundled protocols."""


def golden_file(game: str) -> Path:
    return Path(__file__).parent / game / "golden.txt"


def golden_game(game: str) -> str:
    """Play the game again and return its transcript."""
    return str(import_module(f"tests.protocols.{game}.golden").golden_game())


if __name__ == "__main__":
    for name in sys.argv[1:]:
        golden_file(name).write_text(golden_game(name), encoding="utf-8")
