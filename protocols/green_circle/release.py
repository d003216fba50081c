"""What a release costs, and which releases are possible."""

from __future__ import annotations

from .applications import Application
from .cards import BONUS, TECHNICAL_DEBT
from .team import Team

RELEASES_TO_END = 5
SKILLS_PER_CARD = 2


def missing(team: Team, application: Application) -> int:
    """Return the number of skills that must be done in a shoddy way; none if zero or less."""
    hand, automated = team.hand, team.automated
    short = -hand.count(BONUS) - automated.count(BONUS)
    for skill, need in application.needs:
        lacking = need - SKILLS_PER_CARD * (hand.count(skill) + automated.count(skill))
        if lacking > 0:
            short += lacking
    return short


def most_shoddy(team: Team) -> int:
    """Return how many skills the team could do in a shoddy way in its next release."""
    if team.score >= RELEASES_TO_END - 1:
        return 0
    cards = team.hand + team.automated
    bonus = cards.count(BONUS)
    return bonus + SKILLS_PER_CARD * (len(cards) - bonus - cards.count(TECHNICAL_DEBT))


def releasable(team: Team, applications: list[Application]) -> list[Application]:
    """Return the applications that the team could release now."""
    most = most_shoddy(team)
    return [application for application in applications if missing(team, application) <= most]
