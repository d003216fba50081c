"""Positions for tests: a game with a plain setup, arranged for the ruling under test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arbiter.game import Chance
from protocols.green_circle.game import GreenCircleGame
from protocols.green_circle.levels import LEVELS
from protocols.green_circle.office import Office, open_office
from protocols.green_circle.setup import check

B, D = 8, 9
"""A BONUS card and a technical debt card."""

PILE = [B, D, B, D, B, D, B, D]


def setup_of(level: int, **changes: Any) -> dict[str, Any]:
    """Return a plain setup: the applications with the lowest ids, BONUS and debt alternating."""
    rules = LEVELS[level]
    small, big = list(range(rules.small)), list(range(rules.small, rules.small + rules.big))
    return {"applications": {"small": small, "big": big}, "piles": [list(PILE), list(PILE)], **changes}


def office_of(level: int, seed: int = 0, *, strict_skills: bool = False, **changes: Any) -> Office:
    """Return the office of this setup."""
    rules = replace(LEVELS[level], strict_skills=strict_skills)
    return open_office(rules, check(setup_of(level, **changes), rules), Chance(seed))


def game_of(
    level: int = 3,
    *,
    mine: Mapping[str, Any] | None = None,
    theirs: Mapping[str, Any] | None = None,
    stock: Mapping[int, int] | None = None,
    max_phases: int = 200,
    seed: int = 0,
    **changes: Any,
) -> GreenCircleGame:
    """Return a game in which seat 0 is to MOVE; ``mine`` and ``theirs`` override the teams of seats 0 and 1."""
    office = office_of(level, seed, **changes)
    for team, given in zip(office.teams, (mine, theirs), strict=True):
        for name, value in (given or {}).items():
            setattr(team, name, list(value) if isinstance(value, list) else value)
    for card, number in (stock or {}).items():
        office.stock[card] = number
    return GreenCircleGame(office, max_phases)


def play(game: GreenCircleGame, *answers: str) -> GreenCircleGame:
    """Give these answers for the seats that are asked, one per phase."""
    for answer in answers:
        (seat,) = game.to_move()
        game.play({seat: game.read(seat, answer).text})
    return game


def team(game: GreenCircleGame, seat: int) -> Mapping[str, Any]:
    """Return a team as the view shows it."""
    found: Mapping[str, Any] = game.view()["teams"][seat]
    return found


def phase(game: GreenCircleGame) -> tuple[int, str]:
    """Return the seat that is asked, and the phase."""
    view = game.view()
    return view["seat"], view["phase"]


def actions(game: GreenCircleGame) -> Sequence[str]:
    """Return the actions as they are sent to the agent: the end of its prompt."""
    (seat,) = game.to_move()
    lines = game.prompt(seat).splitlines()
    first = max(number for number, line in enumerate(lines) if line.startswith("OPPONENT_"))
    assert int(lines[first + 1]) == len(lines) - first - 2
    return lines[first + 2 :]
