"""Kibitz of packed games is searched line by line, and comes back as it was."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from arbiter.records.packed.packing import pack_folder
from arbiter.records.packed.search import containing
from arbiter.records.reader import record_bytes
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query
from tests.records import games

words = st.text(alphabet="ab \u212aß", max_size=5)


@given(st.lists(st.none() | words), words)
def test_texts_are_found_as_one_by_one(texts: list[str | None], word: str) -> None:
    array = pa.array([None, "a", *texts], pa.string()).slice(2)
    assert containing(array, word).tolist() == [text is not None and word in text for text in texts]


def test_kibitz_of_several_lines_comes_back_and_is_one_remark(tmp_path: Path) -> None:
    record = games.counting(tmp_path / "a.jsonl")
    two = {"kibitz": ["two\nlines", "one"]}
    data = games.tampered(record, tmp_path / "a.jsonl", lambda lines: lines[1].update(two)).read_bytes()
    pack_folder(tmp_path)
    assert record_bytes(tmp_path / "a.jsonl") == data
    assert search(tmp_path, Query(kibitz="two LINES")).total == 1
    assert search(tmp_path, Query(kibitz="lines one")).total == 0
    assert search(tmp_path, Query(kibitz="one", agents=tuple(record.names[:1]))).total == 1
    assert search(tmp_path, Query(kibitz="one", agents=tuple(record.names[1:]))).total == 0
