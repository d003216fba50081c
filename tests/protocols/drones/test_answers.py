"""Answers: what they ask for, what is granted, and what is refused, also of those meant to break the parser."""

from __future__ import annotations

import sys

import pytest

from arbiter.game import Json
from protocols.drones.answers import LONGEST_ANSWER, MOST_BRACKETS

from .table import army, garbled, new_match, reads, says, turn, units

ALIKE = [
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
]
"""Blanks, order and line ends do not matter."""

DEEP = "[" * (MOST_BRACKETS - 1) + "]" * (MOST_BRACKETS - 1)
HUGE = ("1e400", "1E+9999", "9" * 400, "9" * 4000, "1" + "0" * 4000 + ".5", "9e99999999")
MADE: list[tuple[str, str]] = [
    *((answer, "1 2 1") for answer in ALIKE),
    # Over-asking is clamped, producers first, then soldiers.
    *((says(newProducers=1, newSoldiers=many), f"1 {made} 0") for many, made in ((1, 1), (3, 3), (10**300, 3))),
    *((says(newProducers=many), "4 0 0") for many in (4, 5)),
    *((says(newProducers=3, newSoldiers=3), "3 1 0"), (says(newProducers=9, newSoldiers=9), "4 0 0")),
    *(("9 9 1", "4 0 1"), ("-1 2 0", "0 2 0"), ("0 1e3 0", "0 4 0")),
    # Missing fields make nothing, and other fields are ignored.
    *(
        ("{}", "0 0 0"),
        (says(newProducers=2), "2 0 0"),
        (says(newSoldiers=2), "0 2 0"),
        (says(launchAttack=True), "0 0 1"),
    ),
    (says(newproducers=1, newSoldier=1, attack=True, note={"deep": [1, [2]]}, newSoldiers=2), "0 2 0"),
    ('{"newProducers": 1, "newSoldiers": 1, "newProducers": 2}', "2 1 0"),
    # Fractions are floored.
    *(
        (says(newProducers=asked), f"{made} 0 0")
        for asked, made in ((1.5, 1), (2.999, 2), (3.0, 3), (1e300, 4), (0.5, 0))
    ),
    *(
        (says(newSoldiers=asked), f"0 {made} 0")
        for asked, made in ((1.5, 1), (2.999, 2), (3.0, 3), (1e300, 4), (0.5, 0))
    ),
    (says(newProducers=1.5, newSoldiers=2.5), "1 2 0"),
    # Huge numbers are as much as can be made, and no attack.
    *((f'{{"newProducers": {number}}}', "4 0 0") for number in HUGE),
    *((f'{{"newSoldiers": {number}}}', "0 4 0") for number in HUGE),
    *((f'{{"launchAttack": {number}}}', "0 0 0") for number in HUGE),
    *((f'{{"newProducers": -{number}, "newSoldiers": 1}}', "0 1 0") for number in HUGE),
    # Odd text within JSON does no harm, nor does some nesting or an answer as long as is read.
    *((f'{{"newSoldiers": 1, {more}}}', "0 1 0") for more in ('"a": "\\ud800"', '"\\u0000": 0', f'"note": {DEEP}')),
    (says(newProducers=1).ljust(LONGEST_ANSWER), "1 0 0"),
]
NEITHER = "neither a JSON object nor three numbers such as '2 1 0'"
GARBLED: list[tuple[str, str]] = [
    *((blank, "the answer is an empty line") for blank in ("", " ", "\r", "\n", "\t \r\n")),
    *(
        (value, f"the answer must be a JSON object, not {value!r}")
        for value in ("5", "1.5", '"attack"', "null", "true", "[1, 2, false]", "[]", "-1")
    ),
    ("hello", f"{NEITHER}: 'hello'"),
    ("1 2", f"{NEITHER}: '1 2'"),
    ("1 2 2", f"{NEITHER}: '1 2 2'"),
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
    ("\ufeff{}", NEITHER + ": '\\ufeff{}'"),
    # Meant to break the parser.
    *(
        ('{"newProducers": ' + nest * MOST_BRACKETS, "opening brackets, at most 64")
        for nest in ("[", '{"a":', '[{"a":')
    ),
    *(('{"newProducers": ' + nest * 100_000, "characters") for nest in ("[", '{"a":', '[{"a":')),
    *((f'{{"newProducers": {word}}}', f"'{word}' is not JSON") for word in ("NaN", "Infinity", "-Infinity")),
    *((f'{{"note": [{word}]}}', f"'{word}' is not JSON") for word in ("NaN", "Infinity", "-Infinity")),
    (says(newProducers=1).ljust(LONGEST_ANSWER + 1), "4097 characters"),
    (says(newProducers=1) + " " * 1_000_000, "the answer has 1000019 characters, at most 4096 are allowed"),
    *(
        (text, "JSON")
        for text in (
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
        )
    ),
]


@pytest.mark.parametrize(("answer", "made"), MADE, ids=lambda text: text[:40])
def test_an_answer_makes_and_attacks(answer: str, made: str) -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, answer) == made


@pytest.mark.parametrize(("answer", "because"), GARBLED, ids=lambda text: text[:40])
def test_an_answer_is_garbled_and_the_reason_is_printable(answer: str, because: str) -> None:
    garbled(new_match(), answer, because)


@pytest.mark.parametrize("nothing", [-1, -0.5, -(10**400), "2", "", None, True, [2], {"count": 2}, 0, 0.99, -0.0])
def test_negative_counts_strings_null_and_other_types_make_nothing(nothing: Json) -> None:
    game = new_match()
    army(game, 0, 4, 0)
    assert reads(game, says(newProducers=nothing, newSoldiers=3)) == "0 3 0"
    assert reads(game, says(newProducers=3, newSoldiers=nothing)) == "3 0 0"


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


def test_the_largest_numbers_that_the_options_allow_are_exact() -> None:
    game = new_match(turns=40, starting_producers=1000)
    largest = 1000 * 2**39
    army(game, 0, largest, 0)
    for text in (f"{largest - 1} 0 0", f"0 {largest - 1} 0"):
        assert reads(game, text) == text
    assert reads(game, says(newProducers=largest - 1, newSoldiers=1)) == f"{largest - 1} 1 0"
    assert reads(game, says(newProducers=float(largest - 1))) == f"{largest - 1} 0 0"


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
