"""A packed game has nothing of another game of the same agents, whose headers are decoded once for all."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from arbiter.agents.ask.answer import Answer
from arbiter.records import at_rest
from arbiter.records.archive.query import ANY_FAULT, Query
from arbiter.records.archive.search import search
from arbiter.records.packed import columns
from arbiter.records.packed.packing import pack_folder
from arbiter.records.packed.unpacking import unpack_folder
from arbiter.records.stats.selection import selected_batches
from arbiter.records.stats.tally import tally
from tests.nullgame import count_up
from tests.nullgame.script import Script, header_of, perform

QUERIES = (Query(faults=(ANY_FAULT,)), Query(kibitz="idea"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with a fault, kibitz and a log, and one with none of these."""
    play(tmp_path / "a.jsonl", 1, Answer(0, "zehn", 1, kibitz=["no idea"]))
    (tmp_path / "a.stderr.gz").write_bytes(gzip.compress(b"log"))
    play(tmp_path / "b.jsonl", 2, Answer(0, "1", 1))
    return tmp_path


def play(path: Path, seed: int, first: Answer) -> None:
    header = header_of(count_up.protocol, 2, seed=seed, options={"turns": 2})
    perform(path, count_up.protocol, header, Script({0: [first], 1: ["2"]}))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def test_it_is_found_and_counted_as_a_file_is(folder: Path) -> None:
    counted = tally(selected_batches(folder, Query(), 1)).close(10)
    pack_folder(folder)
    for query in QUERIES:
        assert [game.record for game in search(folder, query).games] == [str(folder / "a.jsonl")]
    assert tally(selected_batches(folder, Query(), 1)).close(10) == counted


@pytest.mark.parametrize("at_once", [1, columns._AT_ONCE])
def test_it_has_columns_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr(columns, "_AT_ONCE", at_once)
    before = files(folder)
    pack_folder(folder)
    (archive,) = map(at_rest.opened, at_rest.archives(folder))
    first, second = archive.columns(["exact", "kibitz", "faults", "stderr_log"]).to_pylist()
    assert (first["exact"], first["kibitz"], len(first["faults"])) == (None, "no idea", 1)
    assert second == {"exact": None, "kibitz": None, "faults": [], "stderr_log": None}
    unpack_folder(folder)
    assert files(folder) == before
