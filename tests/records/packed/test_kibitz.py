"""Searching the kibitz of many games as one text finds what comparing their lines one by one finds."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from arbiter.records.archive.kibitz import fold
from arbiter.records.archive.query import Query
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.kibitz import _rows_with, games_with
from arbiter.records.packed.restore import records
from arbiter.records.packed.schema import schema, writing
from tests.records import games

words = st.text(alphabet="aAbBkK \u212aßSſ", max_size=5)  # the Kelvin sign folds to k, ß to ss
ascii_words = st.text(alphabet="aAbBsS ", max_size=5)


@given(st.lists(st.one_of(st.none(), words)), words)
def test_rows_are_found_as_one_by_one(texts: list[str | None], word: str) -> None:
    _check(texts, word)


@given(st.lists(st.one_of(st.none(), ascii_words)), st.one_of(words, ascii_words))
def test_rows_are_found_as_one_by_one_where_all_is_ascii(texts: list[str | None], word: str) -> None:
    _check(texts, word)


def _check(texts: list[str | None], word: str) -> None:
    expected = [row for row, text in enumerate(texts) if text is not None and fold(word) in fold(text)]
    column = pa.chunked_array([pa.array([None, "x", *texts], pa.string()).slice(2)])
    assert list(_rows_with(column, fold(word))) == expected


def test_kibitz_of_several_lines_comes_back_and_is_one_remark(tmp_path: Path) -> None:
    record = games.counting(tmp_path / "a.jsonl")
    two = {"kibitz": ["two\nlines", "one"]}
    data = games.tampered(record, tmp_path / "b.jsonl", lambda lines: lines[1].update(two)).read_bytes()
    rows = Rows()
    rows.add("a.jsonl", data)
    path = tmp_path / "archive-000001.parquet"
    with pq.ParquetWriter(path, schema(), **writing()) as writer:
        writer.write_table(rows.table())
    archive = Archive(path)
    assert list(records(archive.table(0))) == [data]
    mask = archive.columns(["name"]).column("name").is_valid().to_numpy()
    assert games_with(archive, Query(kibitz="two LINES"), mask).all()
    assert not games_with(archive, Query(kibitz="lines one"), mask).any()
