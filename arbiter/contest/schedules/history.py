"""Who has played whom, read back from the keys of what was played. Rounds that depend on results are drawn once: later
on they are what they were, even if agents have come or gone since or a game is played again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.seating import Table, table_of


def by_round(played: Played, name: str) -> dict[int, list[ScheduledGame]]:
    """Games of the stages that are called ``name 1``, ``name 2`` and so on, by that number, in a fixed order."""
    by_stage: dict[str, list[ScheduledGame]] = {}
    for key in played:
        by_stage.setdefault(key.stage, []).append(key)
    numbered: dict[int, list[ScheduledGame]] = {}
    for stage, keys in by_stage.items():
        first, _, number = stage.rpartition(" ")
        if first == name and number.isdecimal():
            numbered[int(number)] = sorted(keys)
    return dict(sorted(numbered.items()))


def tables_of(keys: Iterable[ScheduledGame]) -> list[Table]:
    """The tables that these games were played at, each once."""
    return list(dict.fromkeys(table_of(key.seats) for key in keys))


def left_behind(agents: Sequence[str], played: Played) -> int:
    """How many games were played by agents that are no longer there."""
    present = set(agents)
    return sum(not present.issuperset(key.seats) for key in played)


def playable(games: Iterable[ScheduledGame], agents: Sequence[str], played: Played) -> list[ScheduledGame]:
    """Those that have been played or still can be: everyone at the table is there."""
    present = set(agents)
    return [key for key in games if present.issuperset(key.seats) or key in played]
