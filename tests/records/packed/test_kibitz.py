"""Searching the kibitz of a row group at once finds what comparing folded lines one by one finds."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from arbiter.records.archive.kibitz import fold
from arbiter.records.archive.query import Query
from arbiter.records.packed import kibitz
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.kibitz import _hits, _Kibitz, games_with
from arbiter.records.packed.restore import records
from arbiter.records.packed.schema import schema, writing
from tests.records import games

letters = st.text(st.sampled_from("abAB sSiIkKßſKéİﬁ"), max_size=6)
plain = st.text(st.sampled_from("abAB "), max_size=6)


@given(st.lists(st.lists(letters, max_size=4), max_size=4) | st.lists(st.lists(plain, max_size=4), max_size=4), letters)
def test_the_lines_with_a_text_are_found(shelf: list[list[str]], sought: str) -> None:
    wanted = fold(sought)
    texts = ["\n".join(lines).encode() for lines in shelf]
    starts = [sum(map(len, texts[:number])) for number in range(len(texts) + 1)]
    group = _Kibitz(b"".join(texts), starts)
    expected = {
        row: [number for number, line in enumerate(lines) if wanted in fold(line)]
        for row, lines in enumerate(shelf)
        if texts[row] and any(wanted in fold(line) for line in lines)
    }
    assert {row: lines for row, lines in _hits(group, wanted, every=True) if texts[row]} == expected
    assert {row for row, _ in _hits(group, wanted, every=False) if texts[row]} == set(expected)


def test_every_character_that_folds_to_ascii_is_known() -> None:
    beyond = (chr(code) for code in range(128, 0x110000) if not 0xD800 <= code < 0xE000)
    found = {each.encode()[:2] for each in beyond if any(part.isascii() for part in each.casefold())}
    assert found == set(kibitz._FOLD_TO_ASCII)


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
