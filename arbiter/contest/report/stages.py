"""The encounters of every stage of a contest: which agents met, and their points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter.contest.report.document import Encounter, StageLine
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.records.scoring import Scoring, points


def stages_of(
    outcomes: Sequence[GameSummary], numbers: Mapping[ScheduledGame, int], scoring: Scoring
) -> list[StageLine]:
    """Return the stages in the order in which they were played; an empty list if there is only one."""
    met: dict[str, dict[tuple[str, ...], list[GameSummary]]] = {}
    for outcome in outcomes:
        game = outcome.game
        met.setdefault(game.stage, {}).setdefault(tuple(sorted(game.seats)), []).append(outcome)
    if len(met) < 2:
        return []
    return [
        StageLine(name=stage, encounters=[_encounter(played, numbers, scoring) for played in tables.values()])
        for stage, tables in met.items()
    ]


def _encounter(played: Sequence[GameSummary], numbers: Mapping[ScheduledGame, int], scoring: Scoring) -> Encounter:
    got = dict.fromkeys(played[0].game.seats, 0.0)
    for outcome in played:
        for seat, name in enumerate(outcome.game.seats):
            got[name] += points(outcome.ranks, seat, scoring)
    ordered = sorted(got, key=lambda name: (-round(got[name], 9), name))
    return Encounter(
        agents=ordered,
        points=[round(got[name], 9) for name in ordered],
        games=[numbers[outcome.game] for outcome in played],
    )
