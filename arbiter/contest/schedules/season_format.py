"""The format of a season and its elimination, as data."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiter.contest.schedules.base import SEEDS_OF_A_ROUND, at_least
from arbiter.errors import UserError, out_of_range, unknown, wrong_value

SEASON = "season"
"""The source that elimination stages name to take agents from the season."""


class SeasonRound(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One round of a season."""

    name: str
    points: tuple[float, ...]
    """Points by place, first place first. Tied agents all get the points of the lowest place they share."""
    games: int | None = None
    """Games per agent, a multiple of the seats; by default one in every seat."""

    def laps(self, seats: int) -> int:
        """Return how often every agent plays in every seat."""
        return 1 if self.games is None else self.games // seats


class EliminationStage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One stage of an elimination."""

    name: str
    takes: dict[str, tuple[int, int]]
    """The agents: for each earlier stage (or the season) named, the first and last place taken from each of its tables."""
    tables: int
    games: int = 1
    """Games per table. Seats are drawn by lot for the first game and then rotate; the seed changes after a full rotation."""


def check_season_format(season: Sequence[SeasonRound], elimination: Sequence[EliminationStage], seats: int) -> None:
    """Raise UserError if a contest with this format cannot be played."""
    if not season:
        raise UserError("season: must have at least one round, such as {name: round 1, points: [3, 2, 1, 0]}")
    names = [SEASON, *(a_round.name for a_round in season), *(stage.name for stage in elimination)]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"the name {name!r} is used twice: rename one of the rounds or stages")
    for a_round in season:
        _check_round(a_round, seats)
    tables = {SEASON: 1}
    taken: set[tuple[str, int]] = set()
    for stage in elimination:
        _check_stage(stage, seats, tables, taken)
        tables[stage.name] = stage.tables


def _check_round(a_round: SeasonRound, seats: int) -> None:
    given = len(a_round.points)
    if given != seats:
        raise UserError(
            f"{a_round.name}: points of {given} places: must be points of {seats} places, first place first, since a "
            f"table has {seats} seats"
        )
    if a_round.games is not None and (a_round.games < 1 or a_round.games % seats):
        why = f"every agent plays each of the {seats} seats equally often"
        raise wrong_value(f"{a_round.name}: games", a_round.games, f"a multiple of {seats}: {why}")
    _check_seeds(a_round.name, a_round.games or seats, seats)


def _check_stage(stage: EliminationStage, seats: int, tables: dict[str, int], taken: set[tuple[str, int]]) -> None:
    at_least(f"{stage.name}: tables", stage.tables, 1)
    at_least(f"{stage.name}: games", stage.games, 1)
    _check_seeds(stage.name, stage.games, seats)
    entrants = 0
    for source, (first, last) in stage.takes.items():
        where = f"{stage.name}: takes {source!r} [{first}, {last}]"
        if source not in tables:
            raise unknown("earlier stage", source, tables, where=f"{stage.name}: takes")
        if not 1 <= first <= last or (source != SEASON and last > seats):
            raise UserError(f"{where}: must be the first and the last place, at least 1")
        places = {(source, place) for place in range(first, last + 1)}
        if places & taken:
            raise UserError(f"{where}: another stage takes some of these; take every place once")
        taken |= places
        entrants += len(places) * tables[source]
    if entrants != stage.tables * seats:
        room = f"{stage.tables} tables of {seats} are for {stage.tables * seats}"
        raise UserError(f"{stage.name}: takes {entrants} agents, and {room}: change one of them")


def _check_seeds(name: str, games: int, seats: int) -> None:
    if games > SEEDS_OF_A_ROUND * seats:
        raise out_of_range(f"{name}: games", games, 1, SEEDS_OF_A_ROUND * seats)
