"""The table of moves: a row per answer, and no text of an agent that a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pytest

from arbiter.records.exports.table import COLUMNS, moves_table, safe_cell
from arbiter.records.reader import Record
from tests.nullgame import auction, count_up


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_answer_is_a_row(counted: Record, sold: Record) -> None:
    assert len(rows(moves_table(counted, count_up.protocol))) == len(counted.answers)
    table = rows(moves_table(sold, auction.protocol))
    assert [(row["turn"], row["seat"]) for row in table[:4]] == [("1", "0"), ("1", "1"), ("1", "2"), ("2", "0")]


def test_a_row_has_the_move_its_words_and_its_fault(counted: Record) -> None:
    table = rows(moves_table(counted, count_up.protocol))
    assert tuple(table[0]) == COLUMNS
    assert [row["fault"] for row in table] == ["", "", "garbled", "illegal", "late", "crashed", "", ""]
    assert table[0]["words"] == "adds 1"
    assert table[0]["message"] == "grüße, 世界 🂡"


@pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", "\t=1"])
def test_a_formula_is_marked_as_text(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


def test_escapes_are_shown_and_not_obeyed() -> None:
    assert safe_cell("a\x1b[2J\x9bb\r\n\tc") == "a\\x1b[2J\\x9bb\\r\n\tc"


@pytest.mark.parametrize("text", ["", "5", "-5", "-1.5", "move east", "a=b"])
def test_plain_text_and_numbers_stay_as_they_are(text: str) -> None:
    assert safe_cell(text) == text
