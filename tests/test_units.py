"""Durations, sizes and counts as users write them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.errors import UserError
from arbiter.units import duration_ns, show_duration, show_size, size_bytes, whole_number
from tests.tools import refusal


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("10s", 10_000_000_000),
        ("50ms", 50_000_000),
        ("1.5s", 1_500_000_000),
        ("250us", 250_000),
        ("250µs", 250_000),
        ("7ns", 7),
        ("2m", 120_000_000_000),
        ("2min", 120_000_000_000),
        ("1h", 3_600_000_000_000),
        (" 10 s ", 10_000_000_000),
        ("10S", 10_000_000_000),
    ],
)
def test_a_duration_is_a_number_and_a_unit(text: str, ns: int) -> None:
    assert duration_ns(text) == ns


@pytest.mark.parametrize(
    ("text", "count"), [("256MB", 256 << 20), ("64KB", 65536), ("2gb", 2 << 30), ("1.5KB", 1536), ("1TB", 1 << 40)]
)
def test_a_size_is_counted_in_units_of_1024(text: str, count: int) -> None:
    assert size_bytes(text) == count


NONSENSE = ["", " ", "10", "s", "ten seconds", "-1s", "0s", "0.0ms", "1e3s", "10 parsecs", "1,5s", "٣s", "1s1s", "9" * 31 + "h"]  # fmt: skip


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_for_a_duration_is_one_line_that_quotes_it(text: str) -> None:
    said = refusal(lambda: duration_ns(text, "limit move"))
    assert said == f"limit move {text!r}: must be a duration such as 10s, 50ms or 2m"


@pytest.mark.parametrize("text", ["", "256", "MB", "-1MB", "0KB", "256 apples", "10s"])
def test_nonsense_for_a_size_is_one_line_that_quotes_it(text: str) -> None:
    said = refusal(lambda: size_bytes(text, "limit memory"))
    assert said == f"limit memory {text!r}: must be a size such as 64KB, 256MB or 2GB"


@pytest.mark.parametrize("text", ["", "0", "-3", "1.5", "many", "٣", "1_000", "0\x1f"])
def test_nonsense_for_a_count_is_one_line_that_quotes_it(text: str) -> None:
    said = refusal(lambda: whole_number(text, "limit processes"))
    assert said == f"limit processes {text!r}: must be a whole number, at least 1"


@pytest.mark.parametrize(
    ("parse", "text", "most"),
    [
        (duration_ns, "1000001h", "1000000h"),
        (duration_ns, "9" * 30 + "s", "1000000h"),
        (size_bytes, "999999999999999TB", "1000000TB"),
        (whole_number, "9999999999", "999999999"),
    ],
)
def test_what_is_too_large_is_told_the_most(parse: Callable[[str, str], int], text: str, most: str) -> None:
    assert refusal(lambda: parse(text, "limit")) == f"limit {text!r}: must be at most {most}"
    assert parse(most, "limit") > 0


@pytest.mark.parametrize("text", ["64", " 64 ", "64\x1f"])
def test_a_count_is_a_whole_number(text: str) -> None:
    assert whole_number(text) == 64


@given(st.text(max_size=30))
def test_any_text_is_a_value_or_a_user_error(text: str) -> None:
    for parse in (duration_ns, size_bytes, whole_number):
        try:
            value, message = parse(text), repr(text)
        except UserError as refused:
            value, message = 1, str(refused)
        assert value > 0
        assert repr(text) in message
        assert "\n" not in message


@pytest.mark.parametrize(
    ("ns", "shown"),
    [
        (0, "0"),
        (7, "7ns"),
        (640_000, "640µs"),
        (1_200_000, "1.2ms"),
        (50_000_000, "50ms"),
        (10_000_000_000, "10s"),
        (1_500_000_000, "1.5s"),
        (999_400, "999µs"),
        (999_700, "1ms"),
        (999_700_000, "1s"),
        (999_700_000_000, "1000s"),
        (7_200_000_000_000, "7200s"),
    ],
)
def test_durations_are_shown_short(ns: int, shown: str) -> None:
    assert show_duration(ns) == shown


@pytest.mark.parametrize(
    ("count", "shown"), [(5, "5B"), (65536, "64KB"), (256 << 20, "256MB"), (3 << 29, "1.5GB"), (1 << 60, "1048576TB")]
)
def test_sizes_are_shown_short(count: int, shown: str) -> None:
    assert show_size(count) == shown


@given(st.integers(1, 999), st.sampled_from(["ns", "µs", "ms", "s"]))
def test_a_shown_duration_reads_back_as_the_same(number: int, unit: str) -> None:
    ns = duration_ns(f"{number}{unit}")
    assert duration_ns(show_duration(ns)) == ns
