"""Answers: what they ask for, and what is granted."""

from __future__ import annotations

import pytest

from arbiter.game import Json

from .table import army, garbled, new_match, reads, says, turn, units


@pytest.mark.parametrize(
    ("asked", "made"),
    [
        ((1, 1), "1 1 0"),
        ((4, 0), "4 0 0"),
        ((5, 0), "4 0 0"),
        ((0, 5), "0 4 0"),
        ((3, 3), "3 1 0"),
        ((9, 9), "4 0 0"),
        ((1, 10**300), "1 3 0"),
    ],
)
def test_over_asking_is_clamped_producers_first_then_soldiers(asked: tuple[int, int], made: str) -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, says(newProducers=asked[0], newSoldiers=asked[1])) == made


@pytest.mark.parametrize("nothing", [-1, -0.5, -(10**400), "2", "", None, True, [2], {"count": 2}, 0, 0.99, -0.0])
def test_negative_counts_strings_null_and_other_types_make_nothing(nothing: Json) -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, says(newProducers=nothing, newSoldiers=3)) == "0 3 0"
    assert reads(game, says(newProducers=3, newSoldiers=nothing)) == "3 0 0"


def test_missing_fields_make_nothing() -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, "{}") == "0 0 0"
    assert reads(game, says(newProducers=2)) == "2 0 0"
    assert reads(game, says(newSoldiers=2)) == "0 2 0"
    assert reads(game, says(launchAttack=True)) == "0 0 1"


@pytest.mark.parametrize(("asked", "made"), [(1.5, 1), (2.999, 2), (3.0, 3), (1e0, 1), (1e300, 4), (0.5, 0)])
def test_fractions_are_floored(asked: float, made: int) -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, says(newProducers=asked)) == f"{made} 0 0"
    assert reads(game, says(newSoldiers=asked)) == f"0 {made} 0"


def test_fractions_are_floored_one_by_one_and_what_is_left_makes_nothing() -> None:
    game = new_match()
    army(game, 0, 1, 0)
    assert reads(game, says(newProducers=0.5, newSoldiers=0.5)) == "0 0 0"
    army(game, 0, 3, 0)
    assert reads(game, says(newProducers=1.5, newSoldiers=1.5)) == "1 1 0"


def test_fractional_units_keeps_them() -> None:
    game = new_match(fractional_units=True)
    turn(game, says(newProducers=0.5, newSoldiers=0.5), says(newProducers=1 / 3, newSoldiers=9))
    assert units(game, 0) == (1.5, 0.5)
    assert units(game, 1) == (1 + 1 / 3, 1 - 1 / 3)
    assert reads(game, says(newProducers=2, newSoldiers=2)) == "1.5 0 0"
    assert reads(game, says(newProducers=0.25, newSoldiers=2)) == "0.25 1.25 0"
    assert reads(game, says(newProducers=1.0)) == "1 0 0"
    assert reads(game, says(newProducers=1e-7)) == "1e-07 0 0"
    assert reads(game, says(newProducers=-0.5)) == "0 0 0"


def test_fractions_of_a_soldier_decide_a_clash() -> None:
    game = new_match(fractional_units=True)
    army(game, 0, 1, 2)
    army(game, 1, 1, 1)
    turn(game, says(newSoldiers=0.25, launchAttack=True), "0 0 0")
    assert game.position.winners == [0]


@pytest.mark.parametrize("yes", [True, 1, 1.0, "1"])
def test_true_and_one_attack(yes: Json) -> None:
    assert reads(new_match(), says(newSoldiers=1, launchAttack=yes)) == "0 1 1"


@pytest.mark.parametrize("no", [False, 0, 2, 0.5, "true", "01", "1.0", " 1", "", None, [], [1], {}, {"1": 1}])
def test_anything_else_does_not_attack(no: Json) -> None:
    assert reads(new_match(), says(newSoldiers=1, launchAttack=no)) == "0 1 0"


def test_other_fields_are_ignored_and_names_are_exact() -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert (
        reads(game, says(newproducers=1, newSoldier=1, attack=True, note={"deep": [1, [2]]}, newSoldiers=2)) == "0 2 0"
    )


def test_of_a_field_that_is_there_twice_the_last_counts() -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, '{"newProducers": 1, "newSoldiers": 1, "newProducers": 2}') == "2 1 0"


@pytest.mark.parametrize(
    "answer",
    [
        '{"newProducers": 1, "newSoldiers": 2, "launchAttack": true}',
        '{"newProducers":1,"newSoldiers":2,"launchAttack":true}',
        '{"newProducers":1,"newSoldiers":2,"launchAttack":true}\r',
        '  { "launchAttack" : true , "newSoldiers" : 2 , "newProducers" : 1 }  \r',
        '{\n  "newProducers": 1,\n  "newSoldiers": 2,\n  "launchAttack": true\n}\n',
        '\t{"newProducers": 1.0, "newSoldiers": 2e0, "launchAttack": 1}\r\n',
        r'{"newProducers": 1, "newSoldiers": 2, "launchA\u0074tack": true}',
        "1 2 1",
        "  1\t2   1 \r\n",
        "1.9 2.5 1",
        "01 002 1",
    ],
)
def test_blanks_order_and_line_ends_do_not_matter(answer: str) -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, answer) == "1 2 1"


@pytest.mark.parametrize(("text", "made"), [("9 9 1", "4 0 1"), ("-1 2 0", "0 2 0"), ("0 1e3 0", "0 4 0")])
def test_the_short_form_is_clamped_like_any_answer(text: str, made: str) -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, text) == made


def test_the_largest_numbers_that_the_options_allow_are_exact() -> None:
    game = new_match(turns=40, starting_producers=1000)
    largest = 1000 * 2**39
    army(game, 0, largest, 0)
    for text in (f"{largest - 1} 0 0", f"0 {largest - 1} 0"):
        assert reads(game, text) == text
    assert reads(game, says(newProducers=largest - 1, newSoldiers=1)) == f"{largest - 1} 1 0"
    assert reads(game, says(newProducers=float(largest - 1))) == f"{largest - 1} 0 0"


@pytest.mark.parametrize("blank", ["", " ", "\r", "\n", "\t \r\n"])
def test_an_empty_line_is_garbled(blank: str) -> None:
    garbled(new_match(), blank, "the answer is an empty line")


@pytest.mark.parametrize("value", ["5", "1.5", '"attack"', "null", "true", "[1, 2, false]", "[]", "-1"])
def test_json_that_is_not_an_object_is_garbled(value: str) -> None:
    garbled(new_match(), value, f"the answer must be a JSON object, not {value!r}")


@pytest.mark.parametrize(
    ("answer", "because"),
    [
        ("hello", "neither a JSON object nor three numbers such as '2 1 0': 'hello'"),
        ("1 2", "neither a JSON object nor three numbers such as '2 1 0': '1 2'"),
        ("1 2 2", "neither a JSON object nor three numbers such as '2 1 0': '1 2 2'"),
        ("1 2 true", "nor three numbers"),
        ("1 2 0 0", "nor three numbers"),
        ("1,2,0", "nor three numbers"),
        ("{newProducers: 1}", "not JSON from character 2 on: 'newProducers: 1}'"),
        ("{'newProducers': 1}", "from character 2 on"),
        ('{"newProducers": 01, "newSoldiers": 0, "launchAttack": false}', "from character 19 on"),
        ('{"newProducers": +1}', "not JSON from character 18 on: '+1}'"),
        ('{"newProducers": 0x1}', "from character 19 on"),
        ('{"newProducers": 1', "the JSON text ends too early"),
        ('{"newProducers"', "the JSON text ends too early"),
        ('{"newProducers": 1,}', "not JSON from character 20 on: '}'"),
        ('{"newProducers": 1} done', "not JSON from character 21 on: 'done'"),
        ('{"newProducers": 1}{"newProducers": 1}', "from character 20 on"),
        ('{"newProducers": True}', "not JSON from character 18 on: 'True}'"),
        ("\ufeff{}", "neither a JSON object nor three numbers such as '2 1 0': '\\ufeff{}'"),
    ],
)
def test_text_that_is_not_json_is_garbled_and_the_reason_says_where(answer: str, because: str) -> None:
    garbled(new_match(), answer, because)
