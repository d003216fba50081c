"""Commands print the same for packed games as for files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from arbiter.cli import games_export
from arbiter.errors import UserError
from arbiter.records.packed.packing import pack_folder
from arbiter.records.search import folder as searching
from arbiter.web.library import Library, game_id
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder
from tests.records import games
from tests.web.served import serving

pytestmark = pytest.mark.slow

WORDS = (
    "show shelf/a.jsonl --all", "verify shelf", "show shelf/a.jsonl --inputs --seat 1", "export shelf/a.jsonl - --format json",
    "export shelf/a.jsonl - --format csv", "why shelf/a.jsonl", "games shelf", "games shelf --agent bot1",
    "games shelf --protocol auctoin", "games shelf --stats",
)  # fmt: skip


@pytest.fixture
def shelf(place: Path) -> Path:
    """Two games, as files."""
    games.counting(place / "shelf" / "a.jsonl", wall_ns=3_000_000)
    games.bidding(place / "shelf" / "b.jsonl")
    return place


@pytest.mark.parametrize("words", WORDS)
def test_the_output_is_that_of_files(shelf: Path, words: str) -> None:
    before = arbiter(*words.split(), folder=shelf)
    pack_folder(shelf / "shelf")
    assert not list((shelf / "shelf").glob("*.jsonl"))
    after = arbiter(*words.split(), folder=shelf)
    assert (after.code, after.out, after.err) == (before.code, before.out, before.err)
    assert after.out or "did you mean" in after.err


def test_rerun_asks_the_agent_again(shelf: Path) -> None:
    adder(shelf, "one", 1)
    words = ("rerun", "shelf/a.jsonl", "one.sh", "--as", "bot 0", "--json")
    before = arbiter(*words, folder=shelf)
    assert before.document
    pack_folder(shelf / "shelf")
    after = arbiter(*words, folder=shelf)
    assert after.code == before.code
    assert after.document.keys() == before.document.keys()


def test_the_viewer_shows_packed_games(shelf: Path) -> None:
    pack_folder(shelf / "shelf")
    with serving(Library(folder=shelf / "shelf")) as running:
        packed = running.get(f"/data/game/{game_id(shelf / 'shelf' / 'a.jsonl')}")
        assert packed.status == 200
        assert (packed.data["game"]["title"], len(packed.data["turns"])) == ("Count up", 8)


def test_names_to_suggest_are_found_without_reading_games(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack_folder(shelf / "shelf")
    games.counting(shelf / "shelf" / "c.jsonl")
    searching.known_names(shelf / "shelf")

    def fail(*_: object) -> None:
        raise AssertionError("a game was read")

    monkeypatch.setattr("arbiter.records.packed.archive.Archive.record", fail)
    monkeypatch.setattr("arbiter.records.packed.archive.Archive.summary", fail)
    assert searching.known_names(shelf / "shelf") == ({"bot 0", "bot 1", "bot 2"}, {"auction", "count_up"})


@pytest.mark.parametrize("packed", [False, True])
def test_the_list_of_games_in_formats_of_the_field(tmp_path: Path, packed: bool) -> None:
    for seed in (3, (1 << 63) + 5):
        games.counting(tmp_path / "games" / f"{seed}.jsonl", seed=seed)
    if packed:
        pack_folder(tmp_path / "games")
    expected = json.loads(arbiter("games", "games", "--json", folder=tmp_path).out)
    assert json.loads(arbiter("games", "games", "--format", "json", folder=tmp_path).out) == expected
    arbiter("games", "games", "--format", "csv", "--output", "list.csv", folder=tmp_path)
    with (tmp_path / "list.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    arbiter("games", "games", "--format", "parquet", "--output", "list.parquet", folder=tmp_path)
    table = pq.read_table(tmp_path / "list.parquet").to_pylist()
    for game, row, columns in zip(expected["games"], rows, table, strict=True):
        assert [row["record"], row["seed"], json.loads(row["seats"]), json.loads(row["faults"])] == [
            *(game["record"], str(game["seed"]), game["seats"], game["faults"]),
        ]
        assert columns["faults"] == game["faults"]
        assert columns["seed"] == str(game["seed"])
        assert (columns["ranks"], columns["scores"]) == (game["ranks"], game["scores"])


def test_a_format_and_another_form_of_output_are_refused(tmp_path: Path) -> None:
    for words in (["--json", "--format", "csv"], ["--output", "x"]):
        done = arbiter("games", ".", *words, folder=tmp_path)
        assert (done.code, len(done.err.splitlines())) == (2, 1)
        assert words[0] in done.err


def test_sql_without_its_library_names_sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        UserError, match=r"^--sql needs pyarrow and numpy and duckdb: \S.* install .*pyarrow numpy duckdb$"
    ):
        games_export.print_answer(tmp_path, "SELECT 1", "text", None, [])
