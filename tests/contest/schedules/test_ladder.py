"""Ladder: it finds the order, gives all agents the same number of games, and lets agents join and leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary, Played, ScheduledGame
from arbiter.contest.schedules.ladder import Ladder, Matchmaker
from arbiter.contest.schedules.rating import glicko
from tests.contest.fake_game import at_leisure, by_luck, in_order, names, play_all, play_batch, ranked

pytestmark = pytest.mark.slow


def games_of(played: Played, agents: Sequence[str]) -> dict[str, int]:
    counts = Counter(agent for scheduled in played for agent in scheduled.seats)
    return {agent: counts[agent] for agent in agents}


def rank_correlation(agents: Sequence[str], found: Sequence[str]) -> float:
    """Spearman's, between the true order and the one that was found."""
    count = len(agents)
    apart = sum((index - found.index(agent)) ** 2 for index, agent in enumerate(agents))
    return 1 - 6 * apart / (count * (count**2 - 1))


@pytest.mark.parametrize("seats", [2, 4])
def test_the_order_of_a_hundred_agents_is_found_and_all_play_equally_often(seats: int) -> None:
    agents = names(100)
    schedule = Ladder(seats=seats, batch=100 // seats)
    game, played = in_order(agents, noise=10), dict[ScheduledGame, GameSummary]()
    while len(played) < 3000:
        play_batch(schedule, agents, played, game)
    games = games_of(played, agents)
    assert max(games.values()) - min(games.values()) <= 2 * schedule.seatings
    order = [position.agent for position in schedule.final_order(agents, played)]
    assert rank_correlation(agents, order) > 0.97
    # Those who are well known meet their neighbours: strangers would on average be 33 places apart.
    late = list(played)[-400:]
    apart = [abs(agents.index(scheduled.seats[0]) - agents.index(scheduled.seats[1])) for scheduled in late]
    assert sum(apart) / len(apart) < 20


@at_leisure
@given(st.integers(2, 4), st.integers(0, 6), st.integers(1, 12), st.integers(0, 9))
def test_every_table_plays_one_seed_in_all_seatings_and_no_table_comes_twice_in_a_batch(
    seats: int, more: int, batch: int, luck: int
) -> None:
    agents, schedule = names(seats + more), Ladder(seats=seats, batch=batch)
    played: dict[ScheduledGame, GameSummary] = {}
    for number in range(1, 6):
        games = play_batch(schedule, agents, played, by_luck(luck))
        assert {(scheduled.stage, scheduled.seed) for scheduled in games} == {(f"batch {number}", number)}
        tables = Counter(frozenset(scheduled.seats) for scheduled in games)
        assert set(tables.values()) == {schedule.seatings}
        assert 1 <= len(tables) <= batch
        assert schedule.stages(agents, played)[number - 1].games == games
        sat = Counter((agent, seat) for scheduled in games for seat, agent in enumerate(scheduled.seats))
        for agent in agents:
            assert len({sat[agent, seat] for seat in range(seats)}) == 1


def test_a_newcomer_gets_games_first_and_against_opponents_of_every_strength() -> None:
    agents = names(20)
    schedule = Ladder(batch=10)
    game, played = in_order(["newcomer", *agents], noise=2), dict[ScheduledGame, GameSummary]()
    for _ in range(12):
        play_batch(schedule, agents, played, game)
    joined = [*agents, "newcomer"]
    batch = play_batch(schedule, joined, played, game)
    assert all("newcomer" in scheduled.seats for scheduled in batch)
    assert len({frozenset(scheduled.seats) for scheduled in batch}) == 10
    for _ in range(4):
        play_batch(schedule, joined, played, game)
    games = games_of(played, joined)
    assert max(games.values()) - min(games.values()) <= 3 * schedule.seatings
    assert schedule.final_order(joined, played)[0].agent == "newcomer"


def test_an_agent_that_leaves_is_not_chosen_again_but_its_games_still_count() -> None:
    agents = names(6)
    schedule = Ladder(batch=3)
    game, played = in_order(agents), dict[ScheduledGame, GameSummary]()
    for _ in range(4):
        play_batch(schedule, agents, played, game)
    before = len(played)
    for _ in range(3):
        play_batch(schedule, agents[1:], played, game)
    later = list(played)[before:]
    assert later
    assert all(agents[0] not in scheduled.seats for scheduled in later)
    order = schedule.final_order(agents[1:], played)
    assert {position.agent for position in order} == set(agents[1:])
    assert order[0].figures["games"] == games_of(played, agents)[order[0].agent]


def test_games_of_an_agent_that_leaves_during_a_batch_are_not_played() -> None:
    agents = names(8)
    schedule, game = Ladder(batch=4), by_luck()
    batch = schedule.next_games(agents, {})
    gone = batch[0].seats[0]
    rest = [agent for agent in agents if agent != gone]
    played = {scheduled: game(scheduled) for scheduled in batch[::2]}
    play_batch(schedule, rest, played, game)
    started = {frozenset(scheduled.seats) for scheduled in batch[::2]}
    assert all(
        (scheduled in played) == (gone not in scheduled.seats)
        for scheduled in batch[1::2]
        if frozenset(scheduled.seats) in started
    )
    assert play_batch(schedule, rest, played, game)


@at_leisure
@given(st.integers(2, 4), st.integers(0, 8), st.integers(1, 12), st.integers(1, 4))
def test_agents_rest_when_they_have_enough_and_a_newcomer_still_finds_opponents(
    seats: int, more: int, batch: int, laps: int
) -> None:
    schedule = Ladder(seats=seats, batch=batch, rest_after=laps * seats)
    agents = names(seats + more)
    played = play_all(schedule, agents, by_luck())
    assert min(games_of(played, agents).values()) >= laps * seats
    joined = [*agents, "newcomer"]
    later = play_all(schedule, joined, by_luck(), played)
    assert all("newcomer" in scheduled.seats for scheduled in later if scheduled not in played)
    assert games_of(later, joined)["newcomer"] == laps * seats


def test_an_agent_that_rests_is_not_chosen_while_others_need_games() -> None:
    agents = "abcdef"
    strengths = {agent: float(index) for index, agent in enumerate(agents)}
    games = {**dict.fromkeys(agents, 10), "a": 0, "f": 8}
    assert Matchmaker(games, strengths, enough=10, seatings=2).seat("a", 0.0, 2) == ("a", "f")
    assert Matchmaker(games, strengths, enough=8, seatings=2).seat("a", 0.0, 2) == ("a", "b")


def test_newcomers_meet_established_agents_too() -> None:
    agents = names(20)
    strengths = {agent: float(index) for index, agent in enumerate(agents)}
    games = {**dict.fromkeys(agents, 100), agents[0]: 0, agents[12]: 0}
    matchmaker = Matchmaker(games, strengths, enough=1000, seatings=2)
    assert matchmaker.neediest(agents, 2) == agents[0]
    assert set(matchmaker.seat(agents[0], 0.5, 2)) == {agents[0], agents[1]}


def test_a_game_that_is_annulled_is_played_again_first() -> None:
    agents, schedule = names(6), Ladder(batch=3, rest_after=10)
    whole = play_all(schedule, agents, by_luck())
    annulled = next(scheduled for scheduled in whole if scheduled.stage == "batch 2")
    assert schedule.next_games(
        agents, {scheduled: whole[scheduled] for scheduled in whole if scheduled != annulled}
    ) == [annulled]


def test_fewer_agents_than_seats_have_nothing_to_play() -> None:
    assert Ladder(seats=3).next_games(["a", "b"], {}) == []
    assert Ladder().next_games([], {}) == []


def test_the_built_in_rating_rises_with_wins_and_grows_certain() -> None:
    games = [ScheduledGame(("a", "b"), seed, f"batch {seed}") for seed in range(1, 9)]
    before = glicko(["a", "b", "c"], {})
    assert before == dict.fromkeys("abc", (1500, 350))
    last = before
    for count in range(1, 9):
        now = glicko(["a", "b", "c"], {scheduled: ranked(scheduled, 1, 2) for scheduled in games[:count]})
        assert now["a"][0] > last["a"][0] > 1499
        assert now["b"][0] < last["b"][0] < 1501
        assert now["a"][1] < last["a"][1]
        last = now
    assert last["c"] == (1500, 350)
    drawn = glicko(["a", "b"], {scheduled: ranked(scheduled, 2, 2) for scheduled in games})
    assert drawn["a"][0] == pytest.approx(1500)
    alone = ScheduledGame(("a",), 1, "batch 1")
    assert glicko(["a"], {alone: ranked(alone, 1)})["a"][0] == 1500


def test_the_built_in_rating_is_that_of_the_published_example() -> None:
    """Glickman's example: 1500 ± 200 against 1400 ± 30 (won), 1550 ± 100 and 1700 ± 300 (lost) becomes 1464 ± 151.4."""
    from arbiter.contest.schedules.rating import _evidence  # the start ratings are fixed in the public function

    ratings = {"me": (1500.0, 200.0), "x": (1400.0, 30.0), "y": (1550.0, 100.0), "z": (1700.0, 300.0)}
    games = [
        ranked(ScheduledGame(("me", "x"), 1), 1, 2),
        *(ranked(ScheduledGame(("me", name), 1), 2, 1) for name in "yz"),
    ]
    surprise, information = _evidence(games, ratings)["me"]
    q = 0.0057565
    variance = 1 / (1 / 200**2 + q**2 * information)
    assert 1500 + q * variance * surprise == pytest.approx(1464.1, abs=0.1)
    assert variance**0.5 == pytest.approx(151.4, abs=0.1)
