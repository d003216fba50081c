"""A contest never has more games than it is said to have, whatever was played before and however it was changed since."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbiter.contest import runner
from arbiter.contest.worker import Done
from arbiter.playing.job import Job
from tests.contest.running.around import auction, plan_of, varied
from tests.contest.running.invented import Workers, check_counts, run_invented

pytestmark = pytest.mark.slow

AGENTS = ("ann", "bob", "broken", "lazy", "broken-too", "cid", "dan")
LONG_AND_SHORT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"kind": "round_robin", "games": 6}, {"games": 2}),
    ({"kind": "gauntlet", "challengers": ["ann"], "games": 6}, {"games": 2}),
    ({"kind": "swiss", "rounds": 5}, {"rounds": 2}),
    ({"kind": "swiss", "rounds": 4, "seats": 3}, {"rounds": 3}),
    ({"kind": "swiss", "rounds": 3, "games": 4}, {"games": 2}),
    ({"kind": "knockout", "best_of": 6, "extra": 3}, {"best_of": 2, "extra": 0}),
    ({"kind": "promotion", "bosses": ["ann", "bob"], "games": 6, "wins": 1}, {"games": 2}),
    ({"kind": "halving", "candidates": ["cid", "dan", "lazy"], "games": 6}, {"games": 2}),
]


@pytest.mark.parametrize(("long", "change"), LONG_AND_SHORT)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(luck=st.integers(0, 2**32), present=st.integers(3, 7), set_aside=st.integers(0, 3))
def test_games_of_an_earlier_definition_are_not_counted_above_the_total(
    place: Path, long: dict[str, Any], change: dict[str, Any], luck: int, present: int, set_aside: int
) -> None:
    agents, moments = varied(place, *AGENTS), Random(luck)
    here = Path(tempfile.mkdtemp(dir=place))
    for schedule, names in ((long, agents), (long | change, agents[:present]), (long, agents)):
        if not {*schedule.get("candidates", ())} <= {*AGENTS[: len(names)]}:
            continue
        contest = replace(auction(here, names, schedule, set_aside=set_aside), workers=None)
        run_invented(contest, luck=moments.random(), most=moments.choice([3, 12, None]), workers=moments.choice([1, 4]))
    shutil.rmtree(here)


class Stammering(Workers):
    """Workers that report every game twice, the second time as lost."""

    def wait(self) -> Iterator[tuple[Job, Done]]:
        for job, done in super().wait():
            yield job, done
            yield job, Done(job.number, "a worker was killed by signal 9", lost=True)


def test_a_game_that_is_reported_twice_is_one_game(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})
    monkeypatch.setattr(runner, "Pool", Stammering(plan_of(contest), Random(1), None))

    progress = runner.run_contest(contest, check_counts).progress

    assert (progress.played, progress.total, progress.now_played) == (4, 4, 4)
