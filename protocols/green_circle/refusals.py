"""Why an action is not possible, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.game import quoted

from .cards import (
    BONUS,
    CONTINUOUS_INTEGRATION,
    DESKS,
    NAMES,
    TASK_PRIORITIZATION,
    TECHNICAL_DEBT,
)
from .release import RELEASES_TO_END, missing
from .turn import Turn

_SINCE_LEVEL = {"PLAY_CARD": 2, "GIVE_CARD": 2, "THROW_CARD": 3}
"""The phases that simpler levels do not have, so that an agent written for one of those may not know them."""
_PHASES = {"MOVE": "MOVE", "THROW": "THROW_CARD", "GIVE": "GIVE_CARD", "RELEASE": "RELEASE"}


def refusal(turn: Turn, action: str) -> str:
    """Return the rule that forbids a well-formed action that is not among the possible ones."""
    verb, *numbers = action.split(" ")
    if verb == "WAIT":
        return f"'WAIT' is not an answer to {turn.phase}: an action must be chosen"
    if _PHASES.get(verb, "PLAY_CARD") != turn.phase:
        since = _SINCE_LEVEL.get(turn.phase)
        hint = f"; this phase exists from level {since} on, the game is played at level {turn.office.level.number}"
        return f"{quoted(action)} is not an answer to {turn.phase}" + (hint if since else "")
    if verb == "MOVE":
        return _no_move(turn, numbers[0])
    if verb in ("GIVE", "THROW"):
        return _no_card(numbers[0], turn.team.hand, verb.lower())
    if verb == "RELEASE":
        return _no_release(turn, numbers[0])
    return _no_play(turn, NAMES.index(verb), numbers)


def _no_move(turn: Turn, desk: str) -> str:
    if desk == str(turn.team.location):
        return f"the team is already on desk {quoted(desk)} and must leave it"
    return f"unknown desk {quoted(desk)}; choose from 0 to {DESKS - 1}"


def _no_card(number: str, cards: Sequence[int], purpose: str) -> str:
    if number == str(TECHNICAL_DEBT):
        return f"a technical debt card ({quoted(number)}) is not a valid card to {purpose}"
    if len(number) > 1:
        return f"unknown card type {quoted(number)}; choose from 0 to {BONUS}"
    assert int(number) not in cards, "a card in hand can be used"
    return f"no {NAMES[int(number)]} card ({quoted(number)}) in hand to {purpose}"


def _no_release(turn: Turn, number: str) -> str:
    for application in turn.office.applications:
        if str(application.id) == number:
            short = missing(turn.team, application)
            if turn.team.score >= RELEASES_TO_END - 1:
                return f"application {quoted(number)} lacks {short} skills, and the last release may not be shoddy"
            return f"application {quoted(number)} lacks {short} skills, more than the cards can make up for"
    return f"application {quoted(number)} is not available"


def _no_play(turn: Turn, card: int, numbers: Sequence[str]) -> str:
    name, hand = NAMES[card], turn.team.hand
    level = turn.office.level
    hint = ""
    if card not in level.playable:
        hint = f"; it is not offered at level {level.number}: an agent that plays it may be meant for level 4"
        if level.strict_skills:
            return f"{quoted(name)} cannot be played with strict_skills{hint}"
    if card not in hand:
        return f"no {quoted(name)} card in hand to play{hint}"
    others = turn.team.skills_in_hand()
    others.remove(card)
    if numbers and numbers[0] not in map(str, others):
        return _no_card(numbers[0], others, "automate" if card == CONTINUOUS_INTEGRATION else "return")
    assert card == TASK_PRIORITIZATION, "any other card in hand can be played"
    if numbers[1] == numbers[0]:
        return f"the card taken must be of another type than the one returned, not {quoted(numbers[1])}"
    return f"only types 0 to {BONUS} can be taken, not {quoted(numbers[1])}"
