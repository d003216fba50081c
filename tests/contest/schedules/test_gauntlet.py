"""Gauntlet: challengers at every table with the other agents, which do not play each other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.schedules.gauntlet import Gauntlet
from arbiter.errors import UserError
from tests.contest.fake_game import at_leisure, by_luck, names, play_all


@st.composite
def contests(draw: st.DrawFn) -> tuple[Gauntlet, list[str]]:
    seats, challengers = draw(st.integers(2, 4)), draw(st.integers(1, 2))
    agents = names(draw(st.integers(seats - 1, 5)) + challengers)
    chosen = draw(st.permutations(agents))[:challengers]
    return Gauntlet(seats=seats, challengers=tuple(chosen), games=seats * draw(st.integers(1, 2))), agents


@at_leisure
@given(contests())
def test_each_challenger_sits_with_every_set_of_the_others(contest: tuple[Gauntlet, list[str]]) -> None:
    schedule, agents = contest
    schedule.check(agents)
    games = schedule.next_games(agents, {})
    others = [agent for agent in agents if agent not in schedule.challengers]
    wanted = {
        frozenset([challenger, *table]): schedule.games
        for challenger in schedule.challengers
        for table in combinations(others, schedule.seats - 1)
    }
    assert Counter(frozenset(scheduled.seats) for scheduled in games) == wanted
    assert schedule.total(agents, {}) == len(games) == len(set(games))


@at_leisure
@given(contests())
def test_every_agent_sits_in_every_seat_equally_often(contest: tuple[Gauntlet, list[str]]) -> None:
    schedule, agents = contest
    seats = Counter(
        (agent, seat) for scheduled in schedule.next_games(agents, {}) for seat, agent in enumerate(scheduled.seats)
    )
    for agent in agents:
        assert len({seats[agent, seat] for seat in range(schedule.seats)}) == 1


@at_leisure
@given(contests())
def test_one_more_of_the_others_only_adds_its_own_games(contest: tuple[Gauntlet, list[str]]) -> None:
    schedule, agents = contest
    played = play_all(schedule, agents, by_luck())
    added = schedule.next_games(["newcomer", *agents], played)
    assert added
    assert all("newcomer" in scheduled.seats for scheduled in added)


def test_without_its_challenger_there_is_nothing_to_play() -> None:
    schedule = Gauntlet(challengers=("a",))
    played = play_all(schedule, ["a", "b", "c"], by_luck())
    assert schedule.next_games(["b", "c"], {}) == []
    assert schedule.total(["b", "c"], played) == len(played) == 4


def test_challengers_must_be_agents_and_have_opponents() -> None:
    with pytest.raises(UserError, match=r"^challengers: unknown agent 'x'; choose from a, b$"):
        Gauntlet(challengers=("x",)).check(["a", "b"])
    with pytest.raises(UserError, match=r"^a challenger at a table of 3 needs 2 other agents, and there are 1$"):
        Gauntlet(challengers=("a", "b"), seats=3).check(["a", "b", "c"])
    with pytest.raises(UserError, match=r"^challengers: name at least one of the agents$"):
        Gauntlet(challengers=())
