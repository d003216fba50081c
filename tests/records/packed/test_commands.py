"""Commands print of packed games what they print of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.records.archive import search as searching
from arbiter.records.packed.packing import pack
from arbiter.web.library import Library, game_id
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder
from tests.records import games
from tests.web.served import serving

WORDS = (
    "show shelf/a.jsonl --all",
    "verify shelf",
    "inputs shelf/a.jsonl --seat 1",
    "export shelf/a.jsonl --data -",
    "export shelf/a.jsonl --csv -",
    "why shelf/a.jsonl",
    "games shelf",
    "games shelf --agent bot1",
    "games shelf --protocol auctoin",
    "stats shelf",
)


@pytest.fixture
def shelf(place: Path) -> Path:
    """Two games, as files."""
    games.counting(place / "shelf" / "a.jsonl", wall_ns=3_000_000)
    games.bidding(place / "shelf" / "b.jsonl")
    return place


@pytest.mark.parametrize("words", WORDS)
def test_the_output_is_that_of_files(shelf: Path, words: str) -> None:
    before = arbiter(*words.split(), folder=shelf)
    pack(shelf / "shelf")
    assert not list((shelf / "shelf").glob("*.jsonl"))
    after = arbiter(*words.split(), folder=shelf)
    assert (after.code, after.out, after.err) == (before.code, before.out, before.err)
    assert after.out or "did you mean" in after.err


def test_rerun_asks_the_agent_again(shelf: Path) -> None:
    adder(shelf, "one", 1)
    words = ("rerun", "shelf/a.jsonl", "one.sh", "--as", "bot 0", "--json")
    before = arbiter(*words, folder=shelf)
    assert before.document
    pack(shelf / "shelf")
    after = arbiter(*words, folder=shelf)
    assert after.code == before.code
    assert after.document.keys() == before.document.keys()


def test_the_viewer_shows_packed_games(shelf: Path) -> None:
    pack(shelf / "shelf")
    with serving(Library(folder=shelf / "shelf")) as running:
        packed = running.get(f"/data/game/{game_id(shelf / 'shelf' / 'a.jsonl')}")
        assert packed.status == 200
        assert (packed.data["game"]["title"], len(packed.data["turns"])) == ("Count up", 8)


def test_names_to_suggest_are_found_without_reading_games(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(shelf / "shelf")
    games.counting(shelf / "shelf" / "c.jsonl")
    searching.known_names(shelf / "shelf")

    def fail(*_: object) -> None:
        raise AssertionError("a game was read")

    monkeypatch.setattr("arbiter.records.packed.archive.Archive.record", fail)
    monkeypatch.setattr("arbiter.records.packed.search._game", fail)
    monkeypatch.setattr(searching, "_decode", fail)
    assert searching.known_names(shelf / "shelf") == ({"bot 0", "bot 1", "bot 2"}, {"auction", "count_up"})
