"""What each skill does when it is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .cards import BONUS, NAMES, TECHNICAL_DEBT, counted
from .office import Office
from .team import Team

Skill = Callable[[Office, Team, Sequence[int]], int]
"""Carries out the effect of a card, given the types named after it; returns how many more plays it gives."""


def _training(office: Office, team: Team, _: Sequence[int]) -> int:
    office.draw_cards(team, 2)
    return 1


def _coding(office: Office, team: Team, _: Sequence[int]) -> int:
    office.draw_cards(team, 1)
    return 2


def _task_prioritization(office: Office, team: Team, types: Sequence[int]) -> int:
    returned, wanted = types
    team.hand.remove(returned)
    office.return_card(returned)
    office.take_card(team, wanted)
    return 0


def _continuous_integration(office: Office, team: Team, types: Sequence[int]) -> int:
    (card,) = types
    team.hand.remove(card)
    team.automated.append(card)
    office.news.append(f"seat {team.seat} has {NAMES[card]} automated for good")
    return 0


def _code_review(office: Office, team: Team, _: Sequence[int]) -> int:
    taken = office.add_to_discard(team, BONUS, 2)
    office.news.append(f"seat {team.seat} puts {counted(taken, 'BONUS card')} on its discard pile")
    return 0


def _refactoring(office: Office, team: Team, _: Sequence[int]) -> int:
    if TECHNICAL_DEBT not in team.hand:
        office.news.append(f"seat {team.seat} has no technical debt in hand to remove")
        return 0
    team.hand.remove(TECHNICAL_DEBT)
    office.return_card(TECHNICAL_DEBT)
    office.news.append(f"seat {team.seat} gets rid of a technical debt card")
    return 0


def _permanent(office: Office, team: Team, _: Sequence[int]) -> int:
    # The cards played this turn are discarded at its end, so a permanent card is not among them.
    card = team.played.pop()
    team.permanent.append(card)
    office.news.append(f"seat {team.seat} has {team.permanent.count(card)} {NAMES[card]} active")
    return 0


_SKILLS: tuple[Skill, ...] = (
    _training,
    _coding,
    _permanent,
    _task_prioritization,
    _permanent,
    _continuous_integration,
    _code_review,
    _refactoring,
)


def play_skill(office: Office, team: Team, card: int, types: Sequence[int]) -> int:
    """Play a card from the hand; return how many more plays the team gets."""
    team.hand.remove(card)
    team.played.append(card)
    return _SKILLS[card](office, team, types)
