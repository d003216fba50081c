"""The bracket of a season: who stood where, who met whom in the elimination, who went on, and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.base import BY_LOT, BracketEntry, BracketStage
from arbiter.contest.schedules.points import lowest_shared_place
from arbiter.contest.schedules.season_format import SEASON, EliminationStage


@dataclass(frozen=True, slots=True)
class DrawnStage:
    """A stage of the elimination whose agents are known."""

    name: str
    tables: list[list[str]]
    """Agents of every table, best first, at this point of the contest."""
    games: list[ScheduledGame]


@dataclass(frozen=True, slots=True)
class SeasonOrder:
    """The order of the teams after the season, or as it is now."""

    order: list[str]
    """Best first; agents that only a lot separates are in the order of the lot."""
    place: dict[str, int]
    """From 1; tied agents share a place as long as the season is being played."""
    by_lot: frozenset[str]
    """The agents that only a lot separates from another, after the season."""
    over: bool
    """Whether the season has been played."""


def season_table(
    standing: SeasonOrder, points: Mapping[str, float], elimination: Sequence[EliminationStage]
) -> BracketStage:
    """Return the season as one table; where its agents go is known when it is over."""
    table = [
        BracketEntry(
            agent=agent,
            place=standing.place[agent],
            points=points[agent],
            goes_to=_next_stage(elimination, SEASON, place) if standing.over else "",
            why=BY_LOT if agent in standing.by_lot else "",
        )
        for place, agent in enumerate(standing.order, 1)
    ]
    return BracketStage(name=SEASON, tables=[table])


def bracket_stage(
    drawn: DrawnStage, played: Played, house: Collection[str], elimination: Sequence[EliminationStage]
) -> BracketStage:
    """Return a stage of the elimination."""
    finished = all(game in played for game in drawn.games)
    tables = [_entries(drawn, table, played) for table in drawn.tables]
    if not finished:
        return BracketStage(name=drawn.name, tables=tables)
    return BracketStage(
        name=drawn.name,
        tables=[
            [
                _decided(entry, place, table, house, _next_stage(elimination, drawn.name, place))
                for place, entry in enumerate(table, 1)
            ]
            for table in tables
        ],
    )


def _entries(drawn: DrawnStage, table: Sequence[str], played: Played) -> list[BracketEntry]:
    """Return the agents of a table with the opponents they have beaten so far."""
    beaten = dict.fromkeys(table, 0)
    for game in drawn.games:
        if game in played and set(game.seats) == set(table):
            for agent, place in zip(game.seats, lowest_shared_place(played[game].ranks), strict=True):
                beaten[agent] += len(table) - place
    return [BracketEntry(agent=agent, points=beaten[agent]) for agent in table]


def _decided(
    entry: BracketEntry, place: int, table: Sequence[BracketEntry], house: Collection[str], goes_to: str
) -> BracketEntry:
    """Return the entry of an agent whose place is known, with what decided it besides the points of the table."""
    tied = [other.agent for other in table if other is not entry and other.points == entry.points]
    if entry.agent in house:
        why = "house agent"
    else:
        why = "tie, by the season" if any(agent not in house for agent in tied) else ""
    return BracketEntry(agent=entry.agent, place=place, points=entry.points, goes_to=goes_to, why=why)


def _next_stage(elimination: Sequence[EliminationStage], source: str, place: int) -> str:
    """Return the stage that takes this place; empty if none does."""
    for stage in elimination:
        first, last = stage.takes.get(source, (0, -1))
        if first <= place <= last:
            return stage.name
    return ""
