"""Messages about bad values have the same wording everywhere."""

from __future__ import annotations

import pytest

from arbiter.errors import UserError, cannot, nearest, out_of_range, unknown, wrong_type, wrong_value

CLOCKS = ("fair", "wall", "cpu")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (unknown("protocol", "splendr", ["rails", "splendor"]), "unknown protocol 'splendr'; did you mean 'splendor'?"),
        (unknown("clock", "x", CLOCKS), "unknown clock 'x'; choose from fair, wall, cpu"),
        (unknown("clock", 17, CLOCKS), "unknown clock 17; choose from fair, wall, cpu"),
        (unknown("clock", "x", CLOCKS, where="cup.yaml"), "cup.yaml: unknown clock 'x'; choose from fair, wall, cpu"),
        (unknown("agent", "x", ["greedy"], otherwise="a file"), "unknown agent 'x'; choose from greedy, or give a file"),
        (unknown("option", "x", []), "unknown option 'x'; none are defined"),
    ],
)  # fmt: skip
def test_an_unknown_name_comes_with_the_nearest_one_or_all_of_them(error: UserError, message: str) -> None:
    assert str(error) == message


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (out_of_range("games", -2, 1), "games -2: must be a whole number, at least 1"),
        (out_of_range("games", "-2", 1), "games '-2': must be a whole number, at least 1"),
        (out_of_range("seats", 5, 2, 4), "seats 5: must be a whole number from 2 to 4"),
        (out_of_range("advance", 2, 1, 1), "advance 2: must be 1"),
        (out_of_range("bye", 1.25, 0, 1, float), "bye 1.25: must be a number from 0 to 1"),
    ],
)
def test_a_number_out_of_range_comes_with_the_range(error: UserError, message: str) -> None:
    assert str(error) == message


@pytest.mark.parametrize(
    ("value", "quoted"),
    [("a\nb", r"'a\nb'"), (-1.0, "-1"), (0.1, "0.1"), (float("nan"), "nan"), (None, "has no value")],
)
def test_the_value_is_quoted_on_one_line(value: object, quoted: str) -> None:
    assert str(wrong_value("factor", value, "a number above 0")) == f"factor {quoted}: must be a number above 0"


def test_a_value_of_the_wrong_type_comes_with_the_types_that_would_do() -> None:
    assert str(wrong_type("schedule", 5, (str, dict))) == "schedule 5: must be a string or a mapping of names to values"


def test_no_name_is_near_where_none_is_similar() -> None:
    assert nearest("chess", ["rails", "splendor"]) is None


def test_what_the_system_refused_is_named_with_its_file_if_that_is_known() -> None:
    full = "No space left on device"
    assert str(cannot("pack games", OSError(28, full, "a/b"))) == f"cannot pack games: a/b: {full}"
    assert str(cannot("pack games", OSError(28, f"Detail of a library: {full}"))) == f"cannot pack games: {full}"
