"""Round robin: every table, every seed, every seating, and nothing twice."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.scheduled import ScheduledGame
from arbiter.contest.schedules.round_robin import RoundRobin
from arbiter.contest.schedules.seating import Seating
from arbiter.errors import UserError
from tests.contest.fake_game import at_leisure, by_luck, names, play_all


@st.composite
def contests(draw: st.DrawFn) -> tuple[RoundRobin, list[str]]:
    seats = draw(st.integers(1, 4))
    seating: Seating = draw(st.sampled_from(["rotations", "permutations"]))
    one = RoundRobin(seats=seats, seating=seating).seatings
    games = one * draw(st.integers(1, 3))
    schedule = RoundRobin(seats=seats, seating=seating, games=games, seed=draw(st.integers(0, 99)))
    return schedule, names(draw(st.integers(seats, 6)))


@at_leisure
@given(contests())
def test_every_table_plays_every_seed_in_all_seatings(contest: tuple[RoundRobin, list[str]]) -> None:
    schedule, agents = contest
    games = schedule.next_games(agents, {})
    seeds = range(schedule.seed, schedule.seed + (schedule.games or 0) // schedule.seatings)
    tables = Counter((frozenset(scheduled.seats), scheduled.seed) for scheduled in games)
    assert tables == {
        (frozenset(table), seed): schedule.seatings for table in combinations(agents, schedule.seats) for seed in seeds
    }
    assert len(set(games)) == len(games) == schedule.total(agents, {})


@at_leisure
@given(contests())
def test_every_agent_sits_in_every_seat_equally_often(contest: tuple[RoundRobin, list[str]]) -> None:
    schedule, agents = contest
    seats = Counter(
        (agent, seat) for scheduled in schedule.next_games(agents, {}) for seat, agent in enumerate(scheduled.seats)
    )
    assert len(seats) == len(agents) * schedule.seats
    assert len(set(seats.values())) == 1


@at_leisure
@given(contests())
def test_seeds_vary_slowest_and_agents_have_played_about_equally_often_at_any_time(
    contest: tuple[RoundRobin, list[str]],
) -> None:
    schedule, agents = contest
    games = schedule.next_games(agents, {})
    assert [scheduled.seed for scheduled in games] == sorted(scheduled.seed for scheduled in games)
    played = Counter(dict.fromkeys(agents, 0))
    for scheduled in games:
        played.update(scheduled.seats)
        assert max(played.values()) - min(played.values()) <= max(schedule.seats, 3)


def test_an_even_number_of_agents_at_tables_of_two_never_differ_by_two_games() -> None:
    agents = names(8)
    played = Counter(dict.fromkeys(agents, 0))
    for scheduled in RoundRobin(games=4).next_games(agents, {}):
        played.update(scheduled.seats)
        assert max(played.values()) - min(played.values()) <= 1


@at_leisure
@given(contests(), st.integers(0, 6))
def test_an_agent_that_joins_a_finished_contest_plays_all_its_games_and_no_others(
    contest: tuple[RoundRobin, list[str]], where: int
) -> None:
    schedule, agents = contest
    played = play_all(schedule, agents, by_luck())
    joined = [*agents[:where], "newcomer", *agents[where:]]
    added = schedule.next_games(joined, played)
    assert all("newcomer" in scheduled.seats for scheduled in added)
    others = comb(len(agents), schedule.seats - 1)
    assert len(added) == others * (schedule.games or 0)
    assert {*played, *added} == set(schedule.next_games(joined, {}))


@at_leisure
@given(contests())
def test_more_games_than_before_are_just_the_next_seeds(contest: tuple[RoundRobin, list[str]]) -> None:
    schedule, agents = contest
    played = play_all(schedule, agents, by_luck())
    more = RoundRobin(
        seats=schedule.seats, seating=schedule.seating, seed=schedule.seed, games=(schedule.games or 0) * 2
    )
    added = more.next_games(agents, played)
    assert len(added) == len(played)
    assert min(scheduled.seed for scheduled in added) > max(scheduled.seed for scheduled in played)


@at_leisure
@given(contests(), st.data())
def test_the_order_of_the_list_does_not_change_the_games(
    contest: tuple[RoundRobin, list[str]], data: st.DataObject
) -> None:
    schedule, agents = contest
    shuffled = data.draw(st.permutations(agents))
    assert set(schedule.next_games(shuffled, {})) == set(schedule.next_games(agents, {}))


def test_when_an_agent_leaves_only_its_games_are_dropped() -> None:
    schedule, agents, game = RoundRobin(games=4), names(5), by_luck()
    games = schedule.next_games(agents, {})
    played = {scheduled: game(scheduled) for scheduled in games[:10]}
    left = schedule.next_games(agents[1:], played)
    assert set(left) == {scheduled for scheduled in games[10:] if agents[0] not in scheduled.seats}
    gone = sum(agents[0] in scheduled.seats for scheduled in played)
    assert schedule.total(agents[1:], played) == 6 * 4 + gone
    assert schedule.next_games(agents[:1], played) == []


def test_with_one_seat_every_agent_plays_every_seed() -> None:
    games = RoundRobin(seats=1, games=2, seed=40).next_games(["b", "a"], {})
    assert games == [
        ScheduledGame(("b",), 40),
        ScheduledGame(("a",), 40),
        ScheduledGame(("b",), 41),
        ScheduledGame(("a",), 41),
    ]


def test_too_few_agents_a_name_twice_and_too_many_games_are_refused() -> None:
    with pytest.raises(UserError, match=r"^a table of 3 needs at least 3 agents, and there are 2$"):
        RoundRobin(seats=3).check(["a", "b"])
    with pytest.raises(UserError, match=r"^the agent 'a' is listed twice: rename one of the two$"):
        RoundRobin().check(["a", "b", "a"])
    with pytest.raises(UserError, match=r"^playing all tables of these agents takes 15684900 games: choose swiss"):
        RoundRobin(seats=4).check(names(100))
    with pytest.raises(UserError, match=r"^playing all tables of these agents takes 2000000 games: choose swiss"):
        RoundRobin(games=2_000_000).check(names(2))


def test_a_match_of_five_thousand_games_is_allowed() -> None:
    schedule = RoundRobin(games=5000)
    schedule.check(names(2))
    (stage,) = schedule.unfold(names(2), {})
    assert (len(stage.games), len({game.seed for game in stage.games})) == (5000, 2500)
