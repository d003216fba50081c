"""The crosstable: every agent against every other one it met."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.records.scoring import points_against


class CrosstableCell(msgspec.Struct, kw_only=True):
    """The results of one agent against another, at tables of any size: a win is a better rank, unless nobody won the game."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0


Crosstable = dict[str, dict[str, CrosstableCell]]
"""Keyed by agent, then by opponent; only pairs that met are present."""


def crosstable_of(names: Sequence[str], played: Sequence[GameSummary]) -> Crosstable:
    """Return the crosstable of these games, rows and columns in the order of ``names``."""
    cells: Crosstable = {name: {} for name in names}
    for outcome in played:
        seats = list(enumerate(outcome.game.seats))
        for seat, one in seats:
            for against, other in seats:
                if one != other:
                    score = points_against(outcome.ranks, seat, against)
                    _count(cells[one].setdefault(other, CrosstableCell()), score)
    return {one: {other: cells[one][other] for other in names if other in cells[one]} for one in names}


def _count(cell: CrosstableCell, score: float) -> None:
    cell.games += 1
    cell.wins += score == 1
    cell.draws += score == 0.5
    cell.losses += score == 0
    cell.points += score
