"""Properties of every kind of contest, whatever its rules."""

from __future__ import annotations

from zlib import crc32

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.schedules.registry import kinds, schedule_from_data
from tests.contest.fake_game import by_luck, names, play_all, play_batch
from tests.contest.schedules.heroes_season import heroes_season

AGENTS = names(16)
CONTESTS: dict[str, Schedule] = {
    "gauntlet": schedule_from_data({"kind": "gauntlet", "challengers": AGENTS[:2]}),
    "halving": schedule_from_data({"kind": "halving", "candidates": AGENTS[:9]}),
    "knockout": schedule_from_data({"kind": "knockout", "third_place": True}),
    "ladder": schedule_from_data({"kind": "ladder", "rest_after": 8}),
    "promotion": schedule_from_data({"kind": "promotion", "bosses": AGENTS[:2], "wins": 2}),
    "round_robin": schedule_from_data({"kind": "round_robin"}),
    "season": heroes_season(),
    "swiss": schedule_from_data({"kind": "swiss"}),
}


def test_every_kind_is_looked_at_here() -> None:
    assert CONTESTS.keys() == kinds().keys()


@pytest.mark.parametrize("kind", CONTESTS)
@settings(max_examples=5, deadline=None)
@given(luck=st.integers(0, 1000))
def test_stages_total_and_order_go_along_with_the_games(kind: str, luck: int) -> None:
    schedule = CONTESTS[kind]
    schedule.check(AGENTS)
    played: dict[ScheduledGame, GameSummary] = {}
    while True:
        total, stages = schedule.total(AGENTS, played), schedule.stages(AGENTS, played)
        missing = [scheduled for stage in stages for scheduled in stage.games if scheduled not in played]
        assert missing == schedule.next_games(AGENTS, played)
        assert total is None or total >= len(played) + len(missing)
        order = schedule.final_order(AGENTS, played)
        if order is not None:
            assert len({position.agent for position in order}) == len(order)
            assert [position.place for position in order] == sorted(position.place for position in order)
            assert order[0].place == 1
            msgspec.json.encode((order, stages))
        if not play_batch(schedule, AGENTS, played, by_luck(luck)):
            break
    assert schedule.total(AGENTS, played) in (None, len(played))
    assert {scheduled for stage in schedule.stages(AGENTS, played) for scheduled in stage.games} == played.keys()


@pytest.mark.parametrize("kind", CONTESTS)
def test_another_seed_means_other_deals(kind: str) -> None:
    schedule = CONTESTS[kind]
    one = play_all(schedule, AGENTS, by_luck())
    other = play_all(msgspec.structs.replace(schedule, seed=500_000), AGENTS, by_luck())
    assert not {scheduled.seed for scheduled in one} & {scheduled.seed for scheduled in other}


@pytest.mark.parametrize("kind", CONTESTS)
def test_results_that_do_not_belong_to_it_change_nothing(kind: str) -> None:
    stray = {
        scheduled: by_luck()(scheduled)
        for scheduled in (ScheduledGame(("who", "else"), 1), ScheduledGame(tuple(AGENTS[:4]), 3, "friendly"))
    }
    assert CONTESTS[kind].next_games(AGENTS, stray) == CONTESTS[kind].next_games(AGENTS, {})


@pytest.mark.parametrize("kind", CONTESTS)
@settings(max_examples=5, deadline=None)
@given(luck=st.integers(0, 9), cut=st.integers(0, 500))
def test_an_interruption_changes_nothing(kind: str, luck: int, cut: int) -> None:
    schedule, game = CONTESTS[kind], by_luck(luck)
    whole = play_all(schedule, AGENTS, game)
    # What was finished before the cut, in an order of finishing that has nothing to do with that of the schedule.
    started = list(whole)[: cut % len(whole) + 1]
    last = started[-1].stage
    some = {each: whole[each] for each in started if each.stage != last or crc32(repr(each).encode()) % 3}
    assert play_all(schedule, AGENTS, game, some) == whole
