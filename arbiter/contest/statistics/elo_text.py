"""Elo differences in sentences."""

from __future__ import annotations

from arbiter.contest.statistics.elo import Elo
from arbiter.contest.statistics.numbers import signed
from arbiter.text import count


def better_sentence(one: str, other: str, verdict: str, lead: Elo) -> str:
    """Return ``new is better than old: yes, +34 Elo (95 % interval: +12 to +57), after 412 games``."""
    return f"{one} is better than {other}: {verdict}, {lead_with_games(lead)}"


def lead_with_games(lead: Elo) -> str:
    """Return ``+34 Elo (95 % interval: +12 to +57), after 412 games``."""
    if not lead.games:
        return "no complete deal between them"
    return f"{_lead(lead)}, after {count(lead.games, 'game')}"


def lead_with_interval(elo: float, low: float, high: float) -> str:
    """Return ``+34 Elo (95 % interval: +12 to +57)``."""
    return f"{signed(elo)} Elo (95 % interval: {signed(low)} to {signed(high)})"


def _lead(lead: Elo) -> str:
    """Return the lead with its interval; only the finite end of the interval if every game was won or lost."""
    if lead.score == 1:
        return f"it won every game, at least {signed(lead.low)} Elo (95 % confidence)"
    if lead.score == 0:
        return f"it lost every game, at most {signed(lead.high)} Elo (95 % confidence)"
    return lead_with_interval(lead.elo, lead.low, lead.high)
