"""Rounds and tables, reconstructed from the games played. Rounds that depend on results are drawn once: later they are
read back as they were, even if agents have joined or left since or a game is replayed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.seating import Table, table_of


def by_round(played: Played, name: str) -> dict[int, list[ScheduledGame]]:
    """Return the games of the stages ``name 1``, ``name 2`` and so on, by that number, in a fixed order."""
    by_stage: dict[str, list[ScheduledGame]] = {}
    for game in played:
        by_stage.setdefault(game.stage, []).append(game)
    numbered: dict[int, list[ScheduledGame]] = {}
    for stage, games in by_stage.items():
        first, _, number = stage.rpartition(" ")
        if first == name and number.isdecimal():
            numbered[int(number)] = sorted(games)
    return dict(sorted(numbered.items()))


def tables_of(games: Iterable[ScheduledGame]) -> list[Table]:
    """Return the tables of these games, each once."""
    return list(dict.fromkeys(table_of(game.seats) for game in games))


def left_behind(agents: Sequence[str], played: Played) -> int:
    """Return the number of games played by agents that have left."""
    present = set(agents)
    return sum(not present.issuperset(game.seats) for game in played)


def playable(games: Iterable[ScheduledGame], agents: Sequence[str], played: Played) -> list[ScheduledGame]:
    """Return the games that have been played or still can be, because all their agents are present."""
    present = set(agents)
    return [game for game in games if present.issuperset(game.seats) or game in played]
