"""The ten card types, by the numbers that agents see."""

from __future__ import annotations

from collections.abc import Iterable

TRAINING, CODING, DAILY_ROUTINE, TASK_PRIORITIZATION, ARCHITECTURE_STUDY = range(5)
CONTINUOUS_INTEGRATION, CODE_REVIEW, REFACTORING, BONUS, TECHNICAL_DEBT = range(5, 10)

NAMES = (
    "TRAINING",
    "CODING",
    "DAILY_ROUTINE",
    "TASK_PRIORITIZATION",
    "ARCHITECTURE_STUDY",
    "CONTINUOUS_INTEGRATION",
    "CODE_REVIEW",
    "REFACTORING",
    "BONUS",
    "TECHNICAL_DEBT",
)
TYPES = range(len(NAMES))
DESKS = 8
"""Desk k holds the skill cards of type k; the remaining types have a pool each."""

COPIES = (5,) * DESKS + (36, 100)
"""How many cards of each type exist in the whole game."""


def listed(cards: Iterable[int]) -> str:
    """List the cards by name, in the given order."""
    return ", ".join([NAMES[card] for card in cards])


def counted(number: int, noun: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def a_card(card: int) -> str:
    """``a BONUS card``, ``an ARCHITECTURE_STUDY card``."""
    return f"{'an' if card == ARCHITECTURE_STUDY else 'a'} {NAMES[card]} card"
