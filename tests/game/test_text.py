"""Text for people is styled and quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from arbiter.game import columns, paint, quoted


def test_painted_text_ends_its_styles() -> None:
    assert paint("gold", "yellow", "bold") == "\x1b[33;1mgold\x1b[0m"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a word", "'a word'"),
        ("it's", '"it\'s"'),
        ("two\nlines", r"'two\nlines'"),
        ("x" * 40, "'" + "x" * 40 + "'"),
        ("x" * 41, "'" + "x" * 39 + "…'"),
        ("\u017ftay", r"'\u017ftay'"),
        (7, "7"),
        (["x" * 60], "['" + "x" * 38 + "…"),
    ],
)
def test_a_value_is_quoted_escaped_and_cut_to_forty_characters(value: object, shown: str) -> None:
    assert quoted(value) == shown


@given(st.text() | st.lists(st.text()))
def test_a_quoted_value_is_one_short_printable_line(value: object) -> None:
    shown = quoted(value).replace("…", "")
    assert shown.isascii()
    assert shown.isprintable()
    assert len(quoted(value)) <= 42


def test_text_is_as_wide_as_the_table_of_widths_says() -> None:
    letters = [chr(point) for point in range(ord(" "), 0x3100) if wcwidth(chr(point)) > 0]
    assert [letter for letter in letters if columns(letter) != wcwidth(letter)] == []
    assert (columns("世界 ±2 – ok…"), columns("e\u0301\u200b")) == (13, 1)
