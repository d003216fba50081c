"""Chance is reproducible from the seed and from the record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.game import Chance


@given(st.integers(), st.lists(st.integers(1, 100), max_size=20))
def test_the_same_seed_draws_the_same(seed: int, bounds: list[int]) -> None:
    one, other = Chance(seed), Chance(seed)
    drawn = [one.below(bound) for bound in bounds]
    assert drawn == [other.below(bound) for bound in bounds]
    assert all(0 <= outcome < bound for outcome, bound in zip(drawn, bounds, strict=True))


def test_the_outcomes_of_a_seed_never_change() -> None:
    chance = Chance(7)
    assert [chance.below(100) for _ in range(5)] == [59, 60, 9, 61, 33]
    assert Chance(7, "setup").shuffled("abcdef") == ["f", "b", "e", "d", "c", "a"]


def test_setup_and_play_draw_from_streams_of_their_own() -> None:
    play, setup = Chance(7), Chance(7, "setup")
    assert [play.below(1000) for _ in range(3)] != [setup.below(1000) for _ in range(3)]


def test_outcomes_are_handed_over_once() -> None:
    chance = Chance(1)
    drawn = [chance.below(10), chance.below(10)]
    assert chance.take() == drawn
    assert chance.take() == []


@given(st.integers(0, 1000))
def test_recorded_outcomes_replay_shuffles_and_fractions(seed: int) -> None:
    chance = Chance(seed)
    shuffled, fraction, pick = chance.shuffled(range(10)), chance.fraction(), chance.choice("abc")
    assert sorted(shuffled) == list(range(10))
    assert 0 <= fraction < 1
    again = Chance(seed, recorded=chance.take())
    assert (again.shuffled(range(10)), again.fraction(), again.choice("abc")) == (shuffled, fraction, pick)
    assert again.mismatches == 0


def test_outcomes_that_are_not_the_seeds_are_counted() -> None:
    drawn = Chance(1).below(10)
    replay = Chance(1, recorded=[(drawn + 1) % 10])
    assert replay.below(10) == (drawn + 1) % 10
    assert replay.mismatches == 1


def test_a_missing_an_impossible_and_a_surplus_outcome_are_errors() -> None:
    with pytest.raises(ValueError, match="has no outcome for a draw below 6"):
        Chance(1, recorded=[]).below(6)
    with pytest.raises(ValueError, match="outcome 6 is not below 6"):
        Chance(1, recorded=[6]).below(6)
    with pytest.raises(ValueError, match="2 recorded outcomes were never drawn"):
        Chance(1, recorded=[1, 2]).expect([])
