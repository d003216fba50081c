"""The parts of the interface that games lean on: options and chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.game import Chance, Option, OptionValue, paint

SIZE = Option("size", 5, "of the board", minimum=1, maximum=9)
NOISE = Option("noise", 0.5, "in the signal", minimum=0.0)
STRICT = Option("strict", True, "or lenient")
MODE = Option("mode", "slow", "of play", choices=("slow", "fast"))


@pytest.mark.parametrize(
    ("option", "value", "checked"),
    [
        (SIZE, "7", 7),
        (SIZE, 7, 7),
        (SIZE, 7.0, 7),
        (NOISE, "1", 1.0),
        (NOISE, 2, 2.0),
        (STRICT, "no", False),
        (STRICT, "ON", True),
        (STRICT, False, False),
        (MODE, "fast", "fast"),
    ],
)
def test_an_option_takes_texts_and_plain_data(option: Option, value: object, checked: OptionValue) -> None:
    assert option.check(value) == checked
    assert type(option.check(value)) is type(option.default)


@pytest.mark.parametrize(
    ("option", "value", "advice"),
    [
        (SIZE, "0", "must be at least 1"),
        (SIZE, "10", "must be at most 9"),
        (SIZE, "five", "must be a whole number"),
        (SIZE, 5.5, "must be a whole number"),
        (SIZE, True, "must be a whole number"),
        (NOISE, "-1", "must be at least 0.0"),
        (NOISE, "loud", "must be a number"),
        (NOISE, "nan", "must be a number"),
        (NOISE, "inf", "must be a number"),
        (STRICT, "maybe", "must be true or false"),
        (MODE, "hasty", "choose from slow, fast"),
        (MODE, 3, "must be a string"),
    ],
)
def test_a_refused_option_quotes_the_value_and_says_what_would_do(option: Option, value: object, advice: str) -> None:
    with pytest.raises(ValueError) as refused:
        option.check(value)
    assert str(refused.value) == f"option {option.name}={value}: {advice}"


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
    assert again.strays == 0


def test_outcomes_that_are_not_the_seeds_are_counted() -> None:
    drawn = Chance(1).below(10)
    replay = Chance(1, recorded=[(drawn + 1) % 10])
    assert replay.below(10) == (drawn + 1) % 10
    assert replay.strays == 1


def test_a_missing_an_impossible_and_a_surplus_outcome_are_errors() -> None:
    with pytest.raises(ValueError, match="holds no outcome for a draw below 6"):
        Chance(1, recorded=[]).below(6)
    with pytest.raises(ValueError, match="outcome 6 is not below 6"):
        Chance(1, recorded=[6]).below(6)
    with pytest.raises(ValueError, match="2 recorded outcomes were never drawn"):
        Chance(1, recorded=[1, 2]).expect([])


def test_painted_text_ends_its_styles() -> None:
    assert paint("gold", "yellow", "bold") == "\x1b[33;1mgold\x1b[0m"
