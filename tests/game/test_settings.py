"""Options as a typed value, and parsing of answers."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.game import BadSetup, GarbledMove, Option, chosen, numbers_of, option, options_of, word_of, words_of


@dataclass(frozen=True, slots=True)
class Settings:
    rows: int = option(6, "rows of the board", minimum=4, maximum=20)
    pace: str = option("slow", "the pace", choices=("slow", "fast"))
    gravity: bool = option(True, "whether pieces fall")


def test_the_fields_of_a_dataclass_are_options() -> None:
    assert options_of(Settings) == (
        Option("rows", 6, "rows of the board", minimum=4, maximum=20),
        Option("pace", "slow", "the pace", choices=("slow", "fast")),
        Option("gravity", True, "whether pieces fall"),
    )


def test_options_become_a_value_with_the_types_of_their_fields() -> None:
    assert chosen(Settings, {"rows": "7", "gravity": "no"}) == Settings(rows=7, pace="slow", gravity=False)
    assert chosen(Settings, {}) == Settings()


def test_a_value_out_of_range_is_a_bad_setup() -> None:
    with pytest.raises(BadSetup, match=r"^option rows=3: must be at least 4$"):
        chosen(Settings, {"rows": 3})


@given(st.lists(st.integers(-(10**17), 10**17), min_size=1))
def test_numbers_are_read_as_they_are_written(numbers: list[int]) -> None:
    assert numbers_of("  " + " \t".join(map(str, numbers)) + "\r\n", len(numbers)) == numbers


@pytest.mark.parametrize(
    ("answer", "count", "reason"),
    [
        ("", None, "the answer is empty"),
        ("1 x", None, "'x' must be a whole number"),
        ("٣", 1, r"'\u0663' must be a whole number"),
        ("1.0", 1, "'1.0' must be a whole number"),
        ("1 2", 1, "'1 2': the answer must be one whole number"),
        ("1", 2, "'1': the answer must be 2 whole numbers"),
        ("+", 1, "'+' must be a whole number"),
    ],
)
def test_anything_else_is_garbled(answer: str, count: int | None, reason: str) -> None:
    with pytest.raises(GarbledMove) as refused:
        numbers_of(answer, count)
    assert refused.value.reason == reason


@given(st.text())
def test_any_text_is_numbers_or_garbled(text: str) -> None:
    with contextlib.suppress(GarbledMove):
        assert all(isinstance(number, int) for number in numbers_of(text))


def test_a_word_is_found_whatever_its_case() -> None:
    assert word_of(" left\r\n", ("Left", "Right")) == "Left"
    assert words_of(" a  b ") == ["a", "b"]
    with pytest.raises(GarbledMove) as refused:
        word_of("up", ("Left", "Right"))
    assert refused.value.reason == "'up': the answer must be one of Left, Right"
