"""The possible actions of each phase, in the order in which they are sent to agents."""

from __future__ import annotations

from collections.abc import Sequence

from .applications import Application
from .cards import (
    BONUS,
    CONTINUOUS_INTEGRATION,
    DAILY_ROUTINE,
    DESKS,
    NAMES,
    TASK_PRIORITIZATION,
    TECHNICAL_DEBT,
)
from .levels import Level
from .release import releasable
from .team import Team

RANDOM, WAIT = "RANDOM", "WAIT"

Actions = tuple[str, ...]
NO_CHOICE: Actions = ()


def _moves(location: int, routines: int) -> Actions:
    """List the moves around the circle, from the next desk on; each target with its shifts to either side."""
    targets = range(DESKS) if location < 0 else [(location + step) % DESKS for step in range(1, DESKS)]
    shifts = range(-routines, routines + 1)
    return (
        *(
            f"MOVE {target} {(target + shift) % DESKS}" if shift else f"MOVE {target}"
            for target in targets
            for shift in shifts
        ),
        RANDOM,
    )


# Only this many different lists exist, since there are only five DAILY_ROUTINE cards.
_MOVES = {(location, routines): _moves(location, routines) for location in range(-1, DESKS) for routines in range(6)}


def moves(team: Team) -> Actions:
    """List the actions for MOVE, which is always asked."""
    return _MOVES[team.location, team.permanent.count(DAILY_ROUTINE)]


def hand_overs(verb: str, team: Team) -> Actions:
    """List the actions for GIVE or THROW: the distinct types in hand other than debt, in hand order."""
    return (*(f"{verb} {card}" for card in dict.fromkeys(team.skills_in_hand())), RANDOM)


def plays(team: Team, level: Level) -> Actions:
    """List the playable cards in hand order, or no choice."""
    found = [action for card in dict.fromkeys(team.hand) if card in level.playable for action in _uses(team, card)]
    return (*found, RANDOM, WAIT) if found else NO_CHOICE


def is_unlisted_play(team: Team, verb: str, numbers: Sequence[str]) -> bool:
    """Return whether the contest's referee carries out an action that it does not offer: a skill in hand that the level does
    not offer, or TASK_PRIORITIZATION with the same type twice."""
    card = NAMES.index(verb) if verb in NAMES else TECHNICAL_DEBT
    if card >= DESKS or card not in team.hand:
        return False
    if card == TASK_PRIORITIZATION and numbers[0] == numbers[1]:
        return numbers[0] in map(str, _others(team, card))
    return " ".join([verb, *numbers]) in _uses(team, card)


def _uses(team: Team, card: int) -> list[str]:
    """List the ways to play a skill in hand."""
    if card == TASK_PRIORITIZATION:
        return _swaps(_others(team, card))
    if card == CONTINUOUS_INTEGRATION:
        return [f"{NAMES[card]} {other}" for other in _others(team, card)]
    return [NAMES[card]] if card < DESKS else []


def _others(team: Team, card: int) -> Sequence[int]:
    """List the distinct types among the other cards in hand, except debt."""
    others = team.skills_in_hand()
    others.remove(card)
    return list(dict.fromkeys(others))


def _swaps(returned: Sequence[int]) -> list[str]:
    name = NAMES[TASK_PRIORITIZATION]
    return [f"{name} {back} {taken}" for back in returned for taken in range(BONUS + 1) if taken != back]


def releases(team: Team, applications: list[Application]) -> Actions:
    """List the applications that can be released, by id, or no choice."""
    found = releasable(team, applications)
    return (*(f"RELEASE {application.id}" for application in found), RANDOM, WAIT) if found else NO_CHOICE
