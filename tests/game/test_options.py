"""Options are converted and checked."""

from __future__ import annotations

import pytest

from arbiter.game import Option, OptionValue

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
def test_an_option_takes_strings_and_plain_data(option: Option, value: object, checked: OptionValue) -> None:
    assert option.check(value) == checked
    assert type(option.check(value)) is type(option.default)


@pytest.mark.parametrize(
    ("option", "value", "advice"),
    [
        (SIZE, "0", "must be at least 1"),
        (SIZE, "10", "must be at most 9"),
        (SIZE, "five", "must be a whole number"),
        (SIZE, "٣", "must be a whole number"),
        (SIZE, "0_3", "must be a whole number"),
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
def test_a_refused_option_quotes_the_value_and_says_what_is_allowed(option: Option, value: object, advice: str) -> None:
    with pytest.raises(ValueError) as refused:
        option.check(value)
    assert str(refused.value) == f"option {option.name}={value}: {advice}"
