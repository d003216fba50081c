"""What every round of a contest brought: who met whom, and what they got."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter.contest.report.document import Encounter, StageLine
from arbiter.contest.scheduled import Outcome, ScheduledGame
from arbiter.contest.statistics.standings import points


def stages_of(outcomes: Sequence[Outcome], numbers: Mapping[ScheduledGame, int]) -> list[StageLine]:
    """In the order in which they were played; none if there is only one."""
    met: dict[str, dict[tuple[str, ...], list[Outcome]]] = {}
    for outcome in outcomes:
        key = outcome.key
        met.setdefault(key.stage, {}).setdefault(tuple(sorted(key.seats)), []).append(outcome)
    if len(met) < 2:
        return []
    return [
        StageLine(name=stage, encounters=[_encounter(games, numbers) for games in tables.values()])
        for stage, tables in met.items()
    ]


def _encounter(games: Sequence[Outcome], numbers: Mapping[ScheduledGame, int]) -> Encounter:
    got = dict.fromkeys(games[0].key.seats, 0.0)
    for outcome in games:
        for seat, name in enumerate(outcome.key.seats):
            got[name] += points(outcome.ranks, seat)
    ordered = sorted(got, key=lambda name: (-round(got[name], 9), name))
    return Encounter(
        agents=ordered,
        points=[round(got[name], 9) for name in ordered],
        games=[numbers[outcome.key] for outcome in games],
    )
