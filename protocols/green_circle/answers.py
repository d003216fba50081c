"""Reading an answer: one action, then whatever the agent wants to say.

Words are upper-case, numbers follow after single blanks, nothing precedes the action. What stands behind the
action, after at least one blank, is the message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from arbiter.game import GarbledMove, IllegalMove, Move, quoted
from arbiter.protocols.green_circle.actions import RANDOM, WAIT
from arbiter.protocols.green_circle.cards import (
    CONTINUOUS_INTEGRATION,
    DAILY_ROUTINE,
    DESKS,
    NAMES,
    TASK_PRIORITIZATION,
)
from arbiter.protocols.green_circle.refusals import refusal
from arbiter.protocols.green_circle.turn import Turn

NUMBERS_AFTER: Mapping[str, int] = {
    RANDOM: 0,
    WAIT: 0,
    "MOVE": 1,
    "GIVE": 1,
    "THROW": 1,
    "RELEASE": 1,
    **dict.fromkeys(NAMES[:DESKS], 0),
    NAMES[TASK_PRIORITIZATION]: 2,
    NAMES[CONTINUOUS_INTEGRATION]: 1,
}
"""How many numbers each word needs."""

_SHAPE = re.compile(r"(\S*+)(?: ([0-9]++)(?!\S)(?: ([0-9]++)(?!\S))?+)?+", re.ASCII)


def read(turn: Turn, answer: str) -> Move:
    """The answer as one of the possible actions. Raises IllegalMove or GarbledMove."""
    if answer in turn.actions:
        return Move(answer)
    shape = _SHAPE.match(answer)
    assert shape is not None, "every text has this shape"
    verb = shape[1]
    count = NUMBERS_AFTER.get(verb)
    if count is None:
        raise GarbledMove(_no_action(answer, verb))
    if count and shape[count + 1] is None:
        numbers = "a number" if count == 1 else f"{count} numbers"
        raise GarbledMove(f"{verb} needs {numbers} after single blanks, not {quoted(answer[len(verb) :])}")
    numbers_used, text = _action(turn, verb, [_plain(number) for number in shape.groups()[1:] if number], count)
    if text not in turn.actions:
        raise IllegalMove(refusal(turn, text))
    return Move(text, answer[shape.end(numbers_used + 1) :].strip())


def _action(turn: Turn, verb: str, numbers: list[str], count: int) -> tuple[int, str]:
    """How many of the numbers belong to the action, and the action; a second desk only where it is a legal one."""
    if verb == "MOVE" and len(numbers) == 2 and DAILY_ROUTINE in turn.team.permanent:
        shifted = f"MOVE {numbers[0]} {numbers[1]}"
        if shifted in turn.actions:
            return 2, shifted
        if numbers[0] == numbers[1]:
            return 2, f"MOVE {numbers[0]}"
    return count, " ".join([verb, *numbers[:count]])


def _plain(number: str) -> str:
    """Without leading zeros."""
    return number.lstrip("0") or "0"


def _no_action(answer: str, verb: str) -> str:
    if not answer.strip():
        return "the answer is empty"
    if not verb:
        return f"the answer starts with a blank: {quoted(answer)}"
    if verb.upper() in NUMBERS_AFTER:
        return f"actions are written in upper case, not {quoted(verb)}"
    return f"there is no action {quoted(verb)}"
