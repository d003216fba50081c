"""Hostile answers, meant to break the parser."""

from __future__ import annotations

import sys

import pytest

from protocols.drones.answers import LONGEST_ANSWER, MOST_BRACKETS

from .table import army, garbled, new_match, reads


@pytest.mark.parametrize("nest", ["[", '{"a":', '[{"a":'])
@pytest.mark.parametrize("depth", [MOST_BRACKETS, 100_000])
def test_deep_nesting_is_refused_before_it_is_parsed(nest: str, depth: int) -> None:
    answer = '{"newProducers": ' + nest * depth
    garbled(
        new_match(),
        answer,
        "characters" if len(answer) > LONGEST_ANSWER else "opening brackets, at most 64 are allowed",
    )


def test_some_nesting_is_harmless() -> None:
    inner = "[" * (MOST_BRACKETS - 1) + "]" * (MOST_BRACKETS - 1)
    assert reads(new_match(), f'{{"newSoldiers": 1, "note": {inner}}}') == "0 1 0"


@pytest.mark.parametrize("number", ["1e400", "1E+9999", "9" * 400, "9" * 4000, "1" + "0" * 4000 + ".5", "9e99999999"])
def test_huge_numbers_are_as_much_as_can_be_made(number: str) -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, f'{{"newProducers": {number}}}') == "4 0 0"
    assert reads(game, f'{{"newSoldiers": {number}}}') == "0 4 0"
    assert reads(game, f'{{"launchAttack": {number}}}') == "0 0 0"
    assert reads(game, f'{{"newProducers": -{number}, "newSoldiers": 1}}') == "0 1 0"


def test_the_limit_of_python_on_digits_does_not_matter() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert reads(new_match(), '{"newProducers": ' + "9" * 2000 + "}") == "1 0 0"
    finally:
        sys.set_int_max_str_digits(before)


def test_huge_numbers_of_fractional_units() -> None:
    game = new_match(fractional_units=True)
    army(game, 0, 1.5, 0)
    assert reads(game, '{"newProducers": 1e400}') == "1.5 0 0"
    assert reads(game, '{"newSoldiers": 5e-324}') == "0 5e-324 0"
    assert reads(game, '{"newSoldiers": 1e-400}') == "0 0 0"


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(word: str) -> None:
    garbled(new_match(), f'{{"newProducers": {word}}}', f"'{word}' is not JSON")
    garbled(new_match(), f'{{"note": [{word}]}}', f"'{word}' is not JSON")


@pytest.mark.parametrize("filler", [" ", '{"a":1}'])
def test_a_line_that_is_too_long_is_not_parsed_at_all(filler: str) -> None:
    answer = '{"newProducers": 1}' + filler * 1_000_000
    garbled(new_match(), answer, f"the answer has {len(answer)} characters, at most 4096 are allowed")


def test_the_longest_answer_that_is_read() -> None:
    answer = '{"newProducers": 1}'
    assert reads(new_match(), answer + " " * (LONGEST_ANSWER - len(answer))) == "1 0 0"
    garbled(new_match(), answer + " " * (LONGEST_ANSWER + 1 - len(answer)), "4097 characters")


@pytest.mark.parametrize(
    "answer",
    [
        "\x00",
        '{"newProducers": 1}\x00',
        '{"a": "\n"}',
        "\x1b[2J",
        '{"a": "\\ud800" x',
        '{"a": "\\x41"}',
        "\u2028{}",
        "\xa0{}",
        "1\x0b2\x0b0",
        "٣ ٣ 0",
        "１ 0 0",
        "1_0 0 0",
        "--1 0 0",
        "1e 0 0",
        "1. 0 0",
        ".5 0 0",
        "99999999999999999 0 0",
        "0 0 0\x00",
        "nan nan 1",
    ],
)
def test_odd_characters_are_refused_with_a_printable_reason(answer: str) -> None:
    garbled(new_match(), answer, "JSON")


@pytest.mark.parametrize("answer", ['{"a": "\\ud800", "newSoldiers": 1}', '{"\\u0000": 0, "newSoldiers": 1}'])
def test_odd_characters_within_json_strings_do_no_harm(answer: str) -> None:
    assert reads(new_match(), answer) == "0 1 0"
