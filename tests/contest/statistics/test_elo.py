"""The lead of one agent over another."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics import elo
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.elo import difference, expected_score
from tests.contest.statistics.making import elo_of_games, elo_of_pairs, outcome, outcomes, pair

COUNTS = st.lists(st.integers(0, 40), min_size=5, max_size=5)


@pytest.mark.parametrize(("lead", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (191, 0.7502), (800, 100 / 101)])
def test_400_elo_are_ten_to_one(lead: float, score: float) -> None:
    assert expected_score(lead) == pytest.approx(score, abs=1e-4)


@settings(max_examples=50, deadline=None)
@given(st.floats(-3000, 3000))
def test_a_lead_is_worth_a_score_and_back(lead: float) -> None:
    assert difference(expected_score(lead)) == pytest.approx(lead, abs=1e-4 + abs(lead) * 1e-3)
    assert expected_score(lead) + expected_score(-lead) == 1


# Values published as tests of fastchess (Disservin and others, app/tests/elo_test.cpp). Its interval takes the variance
# of the sample and ours that of every supposed mean, so at some hundred games they differ a little.
@pytest.mark.parametrize(
    ("pairs", "lead", "margin", "superiority"),
    [
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 1.0),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, 0.0505),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, 0.0),
    ],
)
def test_published_pairs(pairs: tuple[int, ...], lead: float, margin: float, superiority: float) -> None:
    found = elo_of_pairs(pairs)
    assert found.elo == pytest.approx(lead, abs=0.005)
    assert found.margin == pytest.approx(margin, rel=0.005)
    assert found.superiority == pytest.approx(superiority, abs=0.001)
    assert (found.games, found.pairs) == (2 * sum(pairs), sum(pairs))


def test_published_games() -> None:
    found = elo_of_games(wins=136, draws=111, losses=96)
    assert found.elo == pytest.approx(40.70, abs=0.005)
    assert found.margin == pytest.approx(30.43, rel=0.005)
    assert found.superiority == pytest.approx(0.9960, abs=0.001)
    assert elo_of_games(wins=76, draws=123, losses=89).superiority == pytest.approx(0.1553, abs=0.001)


@settings(max_examples=50, deadline=None)
@given(COUNTS)
def test_seen_from_the_other_side_everything_is_negative(counts: list[int]) -> None:
    here, there = elo_of_pairs(counts), elo_of_pairs(counts[::-1])
    assert there.elo == pytest.approx(-here.elo, abs=1e-6)
    assert (there.low, there.high) == pytest.approx((-here.high, -here.low), abs=1e-6)
    assert there.superiority == pytest.approx(1 - here.superiority, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(COUNTS)
def test_superiority_is_sure_where_the_interval_is_above_0(counts: list[int]) -> None:
    found = elo_of_pairs(counts)
    if abs(found.low) > 1e-6:
        assert (found.superiority > 0.975) == (found.low > 0)


@settings(max_examples=50, deadline=None)
@given(COUNTS, st.integers(2, 9))
def test_more_games_with_the_same_score_know_more(counts: list[int], times: int) -> None:
    few, many = elo_of_pairs(counts), elo_of_pairs([count * times for count in counts])
    if few.games:
        assert few.low < many.low or few.low == -math.inf
        assert few.high > many.high or few.high == math.inf


def test_an_agent_that_won_everything_is_better_by_an_unknown_amount() -> None:
    found = elo_of_games(wins=10, draws=0, losses=0)
    assert found.elo == found.high == math.inf
    assert found.low == pytest.approx(difference(10 / (10 + 1.96**2)), abs=0.1)
    assert 0.99 < found.superiority < 1


def test_one_win_proves_nothing() -> None:
    found = elo_of_games(wins=1, draws=0, losses=0)
    assert found.low < 0
    assert found.superiority < 0.9


def test_draws_alone_have_an_interval_that_shrinks() -> None:
    few, many = elo_of_games(0, 10, 0), elo_of_games(0, 1000, 0)
    assert (few.elo, many.elo) == (0, 0)
    assert few.margin > 90
    assert 0 < many.margin < 2
    assert few.superiority == 0.5


def test_without_games_nothing_is_known() -> None:
    found = elo_of_games(0, 0, 0)
    assert (found.score, found.low, found.high, found.superiority) == (None, -math.inf, math.inf, 0.5)


def test_pairs_are_found_by_agents_and_seed() -> None:
    games = [*pair("a", "b", 1, 1, 0.5), *pair("b", "a", 2, 0, 0), outcome("ab", (2, 1), 3), outcome("ac", (2, 1), 1)]
    found = elo.of_match(games, "a", "b")
    assert (found.games, found.pairs) == (5, 3)
    assert found == elo.of_sample(Sample([0.75, 1, 0]), 5)


def test_seats_that_cancel_out_leave_less_doubt_than_games_that_stand_alone() -> None:
    """A game in which the first seat always wins tells nothing, and a hundred deals of it say so very surely."""
    deals = [game for seed in range(100) for game in pair("a", "b", seed, 1, 0)]
    assert elo.of_match(deals, "a", "b").margin < elo_of_games(100, 0, 100).margin / 3


def test_deals_that_always_go_one_way_are_worth_one_game_each() -> None:
    deals = [game for seed in range(50) for game in pair("a", "b", seed, seed % 2, seed % 2)]
    assert elo.of_match(deals, "a", "b").margin == pytest.approx(elo_of_games(25, 0, 25).margin)


@settings(max_examples=50, deadline=None)
@given(outcomes())
def test_at_larger_tables_two_agents_are_compared_by_who_is_ahead(games: list[GameSummary]) -> None:
    here, there = elo.of_match(games, "a", "b"), elo.of_match(games, "b", "a")
    assert here.games == there.games == sum({"a", "b"} <= set(one.game.seats) for one in games)
    assert here.elo == pytest.approx(-there.elo)
