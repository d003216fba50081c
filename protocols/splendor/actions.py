"""Actions, parsed from the integers of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from arbiter.game import GarbledMove, IllegalMove

from .cards import GOLD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .state import Position

PASS: Final = "pass"
"""The fallback move. No agent can answer it."""

TAKE_DIFFERENT: Final = 1
TAKE_TWO: Final = 2
RESERVE: Final = 3
BUY: Final = 4

_OPERAND: Final = {
    TAKE_DIFFERENT: "the number of chips",
    TAKE_TWO: "a colour",
    RESERVE: "a card",
    BUY: "a card",
}


class Action(NamedTuple):
    """The action that a seat requests."""

    kind: int
    card: int
    """To reserve or to buy; -1, -2, -3 reserve from the top of a deck. 0 when chips are taken."""
    taken: Sequence[int]
    """Colours named by actions 1 and 2. The gold that comes with a reservation is not among them; see gains()."""
    returned: Sequence[int]
    """Colours given back to the bank: the rest of the answer."""


def action_of(numbers: Sequence[int]) -> Action:
    """Return the action that these integers encode. Raises IllegalMove if they encode none."""
    if not numbers:
        raise GarbledMove("the answer is empty")
    kind = numbers[0]
    if kind not in _OPERAND:
        raise GarbledMove(f"unknown action '{kind}'; choose from 1 to 4")
    if len(numbers) == 1:
        raise GarbledMove(f"action '{kind}' must be followed by {_OPERAND[kind]}")
    operand = numbers[1]
    if kind == TAKE_DIFFERENT:
        return _take_different(operand, numbers)
    if kind == TAKE_TWO:
        return Action(kind, 0, (operand, operand), numbers[2:])
    return Action(kind, operand, (), numbers[2:])


def _take_different(count: int, numbers: Sequence[int]) -> Action:
    if not 0 <= count <= 3:
        raise IllegalMove(f"action 1 takes 0 to 3 chips, not '{count}'")
    end = 2 + count
    if len(numbers) < end:
        raise GarbledMove(f"action 1 announces '{count}' chips but names {len(numbers) - 2}")
    return Action(TAKE_DIFFERENT, 0, numbers[2:end], numbers[end:])


def gains(position: Position, action: Action) -> Sequence[int]:
    """Return the colours of the chips that this action brings, before any are returned."""
    if action.kind == RESERVE:
        return (GOLD,) if position.bank[GOLD] else ()
    return action.taken
