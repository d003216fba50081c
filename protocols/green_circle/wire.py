"""The wire format: what agents are sent."""

from __future__ import annotations

from functools import lru_cache

from .cards import ARCHITECTURE_STUDY, DAILY_ROUTINE, TYPES
from .team import Team
from .turn import Turn


def prompt(turn: Turn, seat: int) -> str:
    """Write the whole input of one phase for this seat."""
    applications = turn.office.applications
    own, other = turn.office.teams[seat], turn.office.teams[1 - seat]
    locations = _card_lines(own, other)
    lines = [turn.phase, str(len(applications))]
    lines += [application.line for application in applications]
    lines += [_team_line(own), _team_line(other), str(len(locations))]
    lines += locations
    lines.append(str(len(turn.actions)))
    lines += turn.actions
    lines.append("")
    return "\n".join(lines)


def _team_line(team: Team) -> str:
    routines, studies = team.permanent.count(DAILY_ROUTINE), team.permanent.count(ARCHITECTURE_STUDY)
    return f"{team.location} {team.score} {routines} {studies}"


def _card_lines(own: Team, other: Team) -> list[str]:
    lines = []
    for name, pile in (
        ("HAND", own.hand),
        ("DRAW", own.draw),
        ("DISCARD", own.discard),
        ("PLAYED_CARDS", own.played),
        ("AUTOMATED", own.automated),
    ):
        if pile:
            lines.append(_card_line(name, pile))
    lines.append(_card_line("OPPONENT_CARDS", other.hand + other.draw + other.discard))
    if other.automated:
        lines.append(_card_line("OPPONENT_AUTOMATED", other.automated))
    return lines


def _card_line(name: str, pile: list[int]) -> str:
    return f"{name} {_counts(tuple(pile))}"


@lru_cache(maxsize=4096)
def _counts(pile: tuple[int, ...]) -> str:
    """Write how many cards of each type there are; most piles are the same as in the turn before."""
    return " ".join(map(str, map(pile.count, TYPES)))
