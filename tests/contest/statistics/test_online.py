"""Ratings of a ladder."""

from __future__ import annotations

import random
import sys

import pytest

from arbiter.contest.statistics import online
from arbiter.contest.statistics.elo import ELO_PER_NAT
from arbiter.contest.statistics.online import NEWCOMER, OnlineRatings, rate_in_order
from arbiter.errors import UserError
from tests.contest.statistics.making import outcome, played


def test_without_the_package_the_user_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(UserError, match=r"pip install openskill"):
        OnlineRatings()


@pytest.fixture
def _package() -> None:
    pytest.importorskip("openskill")


@pytest.mark.usefixtures("_package")
class TestWithThePackage:
    def test_newcomers_start_at_0_with_an_unknown_rating(self) -> None:
        assert rate_in_order(["a"], []) == {"a": NEWCOMER}
        assert NEWCOMER.mean == 0
        assert 200 < NEWCOMER.uncertainty < 300

    def test_a_winner_rises_and_a_loser_falls_and_both_are_better_known(self) -> None:
        found = rate_in_order([], [outcome("ab", (1, 2))])
        assert found["a"].mean == pytest.approx(-found["b"].mean)
        assert found["a"].mean > 0
        assert found["a"].uncertainty < NEWCOMER.uncertainty

    def test_level_ranks_move_equals_nowhere(self) -> None:
        found = rate_in_order([], [outcome("abc", (2, 2, 2))])
        assert [found[name].mean for name in "abc"] == pytest.approx([0, 0, 0], abs=1e-9)

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_in_the_end_the_ladder_ranks_agents_by_strength(self, seats: int) -> None:
        worth = {"a": 1.5, "b": 0.5, "c": -0.5, "d": -1.5}
        found = rate_in_order(worth, played(random.Random(2), worth, seats, 300))
        assert sorted(found, key=lambda name: -found[name].mean) == list("abcd")
        assert found["a"].mean - found["d"].mean == pytest.approx(3 * ELO_PER_NAT, rel=0.35)

    def test_a_ladder_is_taken_up_where_it_was_left(self) -> None:
        games = played(random.Random(3), {"a": 0.5, "b": 0.0, "c": -0.5}, 3, 20)
        first = OnlineRatings()
        for game in games[:30]:
            first.add(game)
        second = OnlineRatings(first.ratings)
        for game in games[30:]:
            second.add(game)
        whole = rate_in_order([], games)
        assert second.ratings.keys() == whole.keys()
        for name, rating in whole.items():
            assert second.ratings[name] == pytest.approx(rating)
        assert first.ratings != second.ratings

    def test_games_that_say_nothing_change_nothing(self) -> None:
        assert rate_in_order([], [outcome("a", (1,)), outcome("bb", (1, 2))]) == {"a": NEWCOMER, "b": NEWCOMER}

    def test_its_unit_is_elo(self) -> None:
        """Two agents that are well known keep their lead if the games go as that says."""
        known = {"a": online.OnlineRating(100.0, 30.0), "b": online.OnlineRating(-100.0, 30.0)}
        ladder, rng = OnlineRatings(known), random.Random(5)
        leads = []
        for seed in range(4000):
            won = rng.random() < 1 / (1 + 10 ** (-200 / 400))
            ladder.add(outcome("ab", (1, 2) if won else (2, 1), seed))
            leads.append(ladder.ratings["a"].mean - ladder.ratings["b"].mean)
        assert sum(leads) / len(leads) == pytest.approx(200, abs=40)
