"""Searching the kibitz of a game as one text finds what comparing its lines one by one finds."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from arbiter.records.archive.query import Query
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.kibitz import games_with
from arbiter.records.packed.restore import records
from arbiter.records.packed.schema import schema, writing
from tests.records import games


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
