"""Actions and their canonical text: ``2 1 0`` is two producers, one soldier and no attack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from .state import Units

NOTHING: Final = "0 0 0"
"""The empty action."""


class Action(NamedTuple):
    """What a seat makes and does."""

    producers: Units
    soldiers: Units
    attack: bool


def granted(producers: Units, soldiers: Units, attack: bool, capacity: Units) -> Action:
    """Limit a request to the capacity: producers are made first, then soldiers."""
    if producers >= capacity:
        return Action(capacity, 0, attack)
    left = capacity - producers
    return Action(producers, soldiers if soldiers < left else left, attack)


def canonical(action: Action) -> str:
    """Return the text that is recorded: new producers, new soldiers, and 1 for an attack."""
    producers, soldiers, attack = action
    return f"{spelt(producers)} {spelt(soldiers)} {'1' if attack else '0'}"


def spelt(units: Units) -> str:
    """Write a number of units as JSON, whole numbers without a decimal point."""
    if type(units) is int:
        return str(units)
    return str(int(units)) if units == int(units) else repr(units)


def played(text: str) -> Action:
    """Parse a canonical text."""
    producers, soldiers, attack = text.split()
    try:
        return Action(int(producers), int(soldiers), attack == "1")
    except ValueError:
        return Action(float(producers), float(soldiers), attack == "1")
