"""The result of a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Result, ranks_from_scores

from .maps import HEROES

if TYPE_CHECKING:
    from .state import Position


def outcome(position: Position) -> Result:
    """Return the result of a position in which the game is over."""
    heroes = position.heroes
    purses = [hero.gold for hero in heroes]
    return Result(
        ranks=ranks_from_scores(purses),
        scores=tuple(purses),
        reason=_reason(position),
        data={
            "gold": [list(column) for column in position.gold_by_round],
            "mines": [list(column) for column in position.mines_by_round],
            "captures": [hero.captures for hero in heroes],
            "kills": [hero.kills for hero in heroes],
            "deaths": [hero.deaths for hero in heroes],
            "disconnected": [not hero.connected for hero in heroes],
        },
    )


def _reason(position: Position) -> str:
    rounds = position.plies // len(HEROES)
    after = "1 round" if rounds == 1 else f"{rounds} rounds"
    most = max(hero.gold for hero in position.heroes)
    richest = [str(hero.number) for hero in position.heroes if hero.gold == most]
    if len(richest) == 1:
        return f"hero {richest[0]} has the most gold, {most}, after {after}"
    names = ", ".join(richest[:-1]) + f" and {richest[-1]}"
    return f"heroes {names} tie with {most} gold after {after}"
