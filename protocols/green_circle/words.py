"""Moves in words."""

from __future__ import annotations

from collections.abc import Sequence

from .actions import RANDOM, WAIT
from .cards import NAMES, a_card, counted
from .release import missing
from .turn import Turn

DEFEAT = "defeat"


def describe(turn: Turn, move: str) -> str:
    """Describe a canonical move in the current position."""
    if move.startswith(DEFEAT):
        return f"loses at once ({move[len(DEFEAT) :].strip()})"
    verb, *words = move.split(" ")
    numbers = [int(word) for word in words]
    if verb == RANDOM:
        return "leaves the choice to chance"
    if verb == WAIT:
        return "plays no card" if turn.phase == "PLAY_CARD" else "releases nothing"
    if verb == "MOVE":
        return _move(numbers)
    if verb == "RELEASE":
        return _release(turn, numbers[0])
    if verb in ("GIVE", "THROW"):
        return f"{verb.lower()}s {a_card(numbers[0])}"
    return _play(verb, numbers)


def _move(desks: Sequence[int]) -> str:
    target = f"moves to desk {desks[0]} ({NAMES[desks[0]]})"
    return target if len(desks) == 1 else f"{target} and takes the card of desk {desks[1]} ({NAMES[desks[1]]})"


def _release(turn: Turn, id_: int) -> str:
    application = next(each for each in turn.office.applications if each.id == id_)
    needs = " and ".join(f"{need} {NAMES[skill]}" for skill, need in application.needs)
    debt = max(0, missing(turn.team, application))
    cost = f"with {counted(debt, 'shoddy skill')}" if debt else "in good quality"
    return f"releases application {id_} ({needs}) {cost}"


def _play(skill: str, types: Sequence[int]) -> str:
    played = f"plays {skill}"
    if len(types) == 2:
        return f"{played}: returns {a_card(types[0])} and wants {a_card(types[1])}"
    return f"{played} on {a_card(types[0])}" if types else played
