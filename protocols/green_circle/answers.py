"""The parser for answers: one action, optionally followed by a message.

Words are upper-case, numbers follow after single blanks, nothing precedes the action. The text after the action
and at least one blank is the message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from arbiter.game import GarbledMove, IllegalMove, Move, quoted

from .actions import RANDOM, WAIT
from .cards import (
    CONTINUOUS_INTEGRATION,
    DAILY_ROUTINE,
    DESKS,
    NAMES,
    TASK_PRIORITIZATION,
)
from .refusals import refusal
from .turn import Turn

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
"""How many numbers follow each word."""

_PATTERN = re.compile(r"(\S*+)(?: ([0-9]++)(?!\S)(?: ([0-9]++)(?!\S))?+)?+", re.ASCII)


def read(turn: Turn, answer: str) -> Move:
    """Parse an answer into one of the possible actions. Raises IllegalMove or GarbledMove."""
    if answer in turn.actions:
        return Move(answer)
    found = _PATTERN.match(answer)
    assert found is not None, "the pattern matches every text"
    verb = found[1]
    count = NUMBERS_AFTER.get(verb)
    if count is None:
        raise GarbledMove(_no_action(answer, verb))
    if count and found[count + 1] is None:
        numbers = "a number" if count == 1 else f"{count} numbers"
        raise GarbledMove(f"{verb} needs {numbers} after single blanks, not {quoted(answer[len(verb) :])}")
    numbers_used, text = _action(turn, verb, [_plain(number) for number in found.groups()[1:] if number], count)
    if not turn.accepts(text):
        raise IllegalMove(refusal(turn, text))
    return Move(text, answer[found.end(numbers_used + 1) :].strip())


def _action(turn: Turn, verb: str, numbers: list[str], count: int) -> tuple[int, str]:
    """Return how many of the numbers belong to the action, and the action; a second desk counts only if it is legal."""
    if verb == "MOVE" and len(numbers) == 2 and DAILY_ROUTINE in turn.team.permanent:
        shifted = f"MOVE {numbers[0]} {numbers[1]}"
        if shifted in turn.actions:
            return 2, shifted
        if numbers[0] == numbers[1]:
            return 2, f"MOVE {numbers[0]}"
    return count, " ".join([verb, *numbers[:count]])


def _plain(number: str) -> str:
    """Strip leading zeros."""
    return number.lstrip("0") or "0"


def _no_action(answer: str, verb: str) -> str:
    if not answer.strip():
        return "the answer is empty"
    if not verb:
        return f"the answer starts with a blank: {quoted(answer)}"
    if verb.upper() in NUMBERS_AFTER:
        return f"actions must be in upper case, not {quoted(verb)}"
    return f"unknown action {quoted(verb)}"
