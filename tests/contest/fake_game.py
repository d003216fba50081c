"""A game without agents: outcomes follow from strengths and the scheduled game, so that a contest takes no time to play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from hypothesis import settings

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.base import Schedule
from arbiter.records.summary import FaultReport

at_leisure = settings(deadline=None, max_examples=30)
"""For property tests: a busy machine is not a failure."""
Game = Callable[[ScheduledGame], GameSummary]


SECONDARY = "side_quest"
"""That of Rails, which invented contests are of."""


def names(count: int) -> list[str]:
    """Of so many agents; sorted, they are in another order."""
    return [f"{'zyxw'[index % 4]}{index}" for index in range(count)]


def finished(
    scheduled: ScheduledGame,
    ranks: Sequence[int],
    scores: Sequence[float] = (),
    *,
    faults: Sequence[Mapping[str, int]] = (),
    second: Sequence[float] = (),
    **more: Any,
) -> GameSummary:
    """This game with these ranks and scores, faults by kind and secondary scores, by seat."""
    seats = len(scheduled.seats)
    reports = [
        FaultReport(turn=1, seat=seat, kind=kind, detail="")
        for seat, kinds in enumerate(faults)
        for kind, times in kinds.items()
        for _ in range(times)
    ]
    more = {**{name: [0] * seats for name in ("answers", "think_us", "slowest_us")}, **more}
    return GameSummary(
        protocol="rails",
        seats=list(scheduled.seats),
        seed=scheduled.seed,
        stage=scheduled.stage,
        ranks=list(ranks),
        scores=list(scores) or [0.0] * seats,
        faults=reports,
        data={SECONDARY: list(second)} if second else {},
        **more,
    )


def ranked(scheduled: ScheduledGame, *ranks: int) -> GameSummary:
    """This game with these ranks, by seat."""
    return finished(scheduled, ranks, [float(-rank) for rank in ranks])


def by_strength(strengths: Mapping[str, float], noise: float = 0.0) -> Game:
    """The stronger wins, unless luck is against it. Equal strengths without luck are a draw."""

    def play(scheduled: ScheduledGame) -> GameSummary:
        luck = Random(f"{scheduled.seats} {scheduled.seed} {scheduled.stage}")
        shown = [strengths[agent] + noise * luck.gauss(0, 1) for agent in scheduled.seats]
        return ranked(scheduled, *[1 + sum(other > mine for other in shown) for mine in shown])

    return play


def in_order(agents: Sequence[str], noise: float = 0.0) -> Game:
    """The first in the list is the strongest, and so on down."""
    return by_strength({agent: float(-index) for index, agent in enumerate(agents)}, noise)


def by_luck(salt: int = 0) -> Game:
    """Any ranks, ties and games that nobody won among them."""

    def play(scheduled: ScheduledGame) -> GameSummary:
        luck = Random(f"{salt} {scheduled.seats} {scheduled.seed} {scheduled.stage}")
        return ranked(scheduled, *[luck.randint(1, len(scheduled.seats)) for _ in scheduled.seats])

    return play


def play_batch(
    schedule: Schedule, agents: Sequence[str], played: dict[ScheduledGame, GameSummary], game: Game
) -> list[ScheduledGame]:
    """Play what comes next, finishing in another order than it was given in."""
    batch = schedule.next_games(agents, played)
    assert len(set(batch)) == len(batch), "a game was given twice"
    assert not played.keys() & set(batch), "a game that had been played was given again"
    assert all(len(set(scheduled.seats)) == schedule.seats for scheduled in batch)
    assert {agent for scheduled in batch for agent in scheduled.seats} <= set(agents)
    assert schedule.next_games(list(agents), dict(reversed(played.items()))) == batch
    for scheduled in Random(len(played)).sample(batch, len(batch)):
        played[scheduled] = game(scheduled)
    return batch


def play_all(
    schedule: Schedule, agents: Sequence[str], game: Game, played: Mapping[ScheduledGame, GameSummary] | None = None
) -> dict[ScheduledGame, GameSummary]:
    """The whole contest, or what is missing of it. Games in the order they were given in."""
    so_far, order = dict(played or {}), list(played or {})
    while batch := play_batch(schedule, agents, so_far, game):
        order += batch
    return {scheduled: so_far[scheduled] for scheduled in order}
