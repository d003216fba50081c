"""Halving: candidates against a field; the best play on, on the same deals."""

from __future__ import annotations

from collections import Counter
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.schedules.halving import Halving
from arbiter.errors import UserError
from tests.contest.fake_game import at_leisure, by_luck, by_strength, names, play_all

pytestmark = pytest.mark.slow


@st.composite
def contests(draw: st.DrawFn) -> tuple[Halving, list[str]]:
    seats, divisor = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    agents = names(draw(st.integers(seats - 1, 4)) + draw(st.integers(1, 12)))
    field = draw(st.integers(seats - 1, min(4, len(agents) - 1)))
    chosen = draw(st.permutations(agents))[field:]
    return Halving(
        seats=seats, candidates=tuple(chosen), games=seats * draw(st.integers(1, 2)), divisor=divisor
    ), agents


@at_leisure
@given(contests(), st.integers(0, 99))
def test_every_rung_keeps_a_share_of_the_candidates_which_play_the_same_deals(
    contest: tuple[Halving, list[str]], luck: int
) -> None:
    schedule, agents = contest
    schedule.check(agents)
    played = play_all(schedule, agents, by_luck(luck))
    assert schedule.total(agents, {}) == len(played)
    left, seen, deals = len(schedule.candidates), set[int](), 0
    for stage in schedule.stages(agents, played):
        players = Counter(name for game in stage.games for name in game.seats if name in schedule.candidates)
        assert len(players) == left
        assert len(set(players.values())) == 1, "all candidates play equally often"
        seeds = {game.seed for game in stage.games}
        assert not seeds & seen, "fresh deals in every rung"
        assert not deals or len(seeds) == deals * schedule.divisor
        for name in players:
            assert {game.seed for game in stage.games if name in game.seats} == seeds
        left, seen, deals = ceil(left / schedule.divisor), seen | seeds, len(seeds)
    assert left == 1
    order = schedule.final_order(agents, played)
    assert {position.agent for position in order} == set(schedule.candidates)


def test_the_strongest_is_found_in_noise() -> None:
    candidates, field = [f"c{number}" for number in range(27)], ["f1", "f2"]
    found = Counter[int]()
    for seed in range(1, 200_000, 10_000):
        strengths = {name: number / 9 for number, name in enumerate(candidates)} | {"f1": 1.5, "f2": 1.5}
        schedule = Halving(candidates=tuple(candidates), games=4, seed=seed)
        played = play_all(schedule, [*candidates, *field], by_strength(strengths, noise=1.0))
        found[int(schedule.final_order([*candidates, *field], played)[0].agent[1:])] += 1
    # Choosing at random would find one of the best six in 4 of 20 runs.
    assert sum(count for number, count in found.items() if number >= 21) >= 16, found


def test_of_equals_the_first_in_the_list_stays() -> None:
    agents = ["b", "a", "field"]
    schedule = Halving(candidates=("b", "a"), divisor=2)
    played = play_all(schedule, agents, by_strength({"b": 1, "a": 1, "field": 1}))
    assert [(one.agent, one.place) for one in schedule.final_order(agents, played)] == [("b", 1), ("a", 1)]


def test_candidates_must_be_agents_and_have_opponents() -> None:
    with pytest.raises(UserError, match="unknown agent 'x'"):
        Halving(candidates=("x",)).check(list("abc"))
    with pytest.raises(UserError, match="needs 1 agents that are not candidates, and there are 0"):
        Halving(candidates=("a", "b", "c")).check(list("abc"))
