"""A damaged archive is named, with what to do about it; games in other archives, and beside the damage, stay usable."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.contest.ledger import Ledger
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.packed import packing
from arbiter.records.packed.packing import pack_folder
from arbiter.records.packed.unpacking import unpack_folder
from arbiter.records.reader import find_records, load_record
from arbiter.records.search.query import Query
from arbiter.web.library import Library, game_id
from tests.nullgame.command import Ran, arbiter
from tests.records import games

ADVICE = "restore it from a backup, or move it out of its folder to go on without its games"
CUT = (
    "shelf/archive-000001.parquet: damaged, or not an archive of saved games (Parquet magic bytes not found in footer); "
    f"{ADVICE}\n"
)


@pytest.fixture
def shelf(place: Path) -> Path:
    """Two archives of two games each, the first of them cut off, and a game that is a file."""
    for number in range(2):
        for seed in (1, 2):
            games.counting(place / "shelf" / f"{number}{seed}.jsonl", seed=seed, wall_ns=1_000_000)
        pack_folder(place / "shelf")
    archive = place / "shelf" / "archive-000001.parquet"
    archive.write_bytes(archive.read_bytes()[:-1])
    games.counting(place / "shelf" / "31.jsonl", seed=3)
    return place


def on(shelf: Path, *words: str) -> Ran:
    return arbiter(*words, folder=shelf)


@pytest.mark.parametrize("words", ["--format paths", "", "--sort length", "--format csv"])
def test_the_other_games_are_listed(shelf: Path, words: str) -> None:
    ran = on(shelf, "games", "shelf", *words.split())
    assert (ran.code, ran.err) == (1, f"left out: {CUT}")
    assert ("11.jsonl" in ran.out, "21.jsonl" in ran.out, "02.jsonl" in ran.out) == (True, False, False)


def test_the_document_names_it(shelf: Path) -> None:
    listed = on(shelf, "games", "shelf", "--json")
    assert (listed.code, listed.document["found"]) == (1, 3)
    assert listed.document["damaged"] == [{"path": "shelf/archive-000001.parquet", "problem": CUT.strip()}]
    counted = on(shelf, "games", "--stats", "shelf", "--json")
    assert (counted.code, counted.document["games"]) == (1, 3)
    assert counted.document["damaged"] == listed.document["damaged"]


def test_the_other_games_are_counted(shelf: Path) -> None:
    ran = on(shelf, "games", "--stats", "shelf")
    assert (ran.code, ran.err) == (1, f"left out: {CUT}")
    assert "count_up, 2 seats: 3 games" in ran.out
    ran = on(shelf, "games", "--stats", "shelf", "--position", "shelf/11.jsonl:1")
    assert (ran.code, ran.err) == (1, f"left out: {CUT}")
    assert "in 1 of 3 games" in ran.out


def test_the_other_games_answer_sql(shelf: Path) -> None:
    ran = on(shelf, "games", "shelf", "--sql", "SELECT count(*) AS n FROM games", "--format", "csv")
    assert (ran.code, ran.out.split(), ran.err) == (1, ["n", "3"], f"left out: {CUT}")


def test_the_other_games_are_shown_and_verified(shelf: Path) -> None:
    assert on(shelf, "show", "shelf/11.jsonl", "--all").code == 0
    ran = on(shelf, "verify", "shelf")
    assert (ran.code, ran.err) == (1, f"not verified: {CUT}")
    assert "3 of 3 saved games verified" in ran.out
    lost = on(shelf, "show", "shelf/01.jsonl")
    assert (lost.code, lost.out, lost.err) == (2, "", f"arbiter: {CUT}")


def test_the_viewer_lists_and_shows_the_other_games(shelf: Path) -> None:
    library = Library(folder=shelf / "shelf")
    assert sorted(Path(game.record).name for game in library.search(Query()).games) == [
        "11.jsonl",
        "12.jsonl",
        "31.jsonl",
    ]
    assert library.path(game_id(shelf / "shelf" / "12.jsonl")) == shelf / "shelf" / "12.jsonl"


def test_a_contest_does_not_go_on_as_if_its_games_had_not_been_played(shelf: Path, half: Path) -> None:
    for folder in (shelf / "shelf", half):
        with pytest.raises(at_rest.UnreadableArchive, match=ADVICE):
            Ledger(folder)


def test_nothing_is_packed_beside_it(shelf: Path) -> None:
    """It may hold games of the same names."""
    games.counting(shelf / "shelf" / "inner" / "41.jsonl")
    before = {path.name: path.read_bytes() for path in (shelf / "shelf").iterdir() if path.is_file()}
    ran = on(shelf, "archive", "pack", "shelf")
    assert (ran.code, ran.err) == (1, f"not packed: the games in shelf, because of {CUT}")
    assert ran.out.startswith("packed 1 game: "), "that of another folder"
    assert {path.name: path.read_bytes() for path in (shelf / "shelf").iterdir() if path.is_file()} == before
    again = on(shelf, "archive", "pack", "shelf", "--json")
    assert (again.code, again.document["games"]) == (1, 0)
    assert again.document["kept"] == [f"the games in shelf, because of {CUT.strip()}"]
    assert on(shelf, "archive", "pack", "shelf").out == ""


def test_packing_goes_on_without_it(shelf: Path) -> None:
    (shelf / "shelf" / "archive-000001.parquet").rename(shelf / "archive-000001.parquet")
    assert on(shelf, "archive", "pack", "shelf").code == 0
    assert on(shelf, "verify", "shelf").out.endswith("3 of 3 saved games verified\n")


def test_the_other_archives_are_unpacked(shelf: Path) -> None:
    ran = on(shelf, "archive", "unpack", "shelf")
    assert (ran.code, ran.out, ran.err) == (1, "unpacked 2 games\n", f"not unpacked: {CUT}")
    assert sorted(path.name for path in (shelf / "shelf").iterdir() if not path.name.startswith(".")) == [
        "11.jsonl",
        "12.jsonl",
        "31.jsonl",
        "archive-000001.parquet",
    ]
    again = on(shelf, "archive", "unpack", "shelf", "--json")
    assert (again.code, again.document) == (1, {"games": 0, "kept": [CUT.strip()]})


@pytest.mark.parametrize("yes", [[], ["--yes"]])
def test_the_other_archives_are_pruned(shelf: Path, yes: list[str]) -> None:
    before = (shelf / "shelf" / "archive-000001.parquet").read_bytes()
    ran = on(shelf, "archive", "prune", "shelf", "--drop", "times", *yes)
    assert (ran.code, ran.err) == (1, f"not changed: {CUT}")
    assert "packed games" in ran.out
    assert (shelf / "shelf" / "archive-000001.parquet").read_bytes() == before
    ran = on(shelf, "archive", "prune", "shelf", "--drop", "times", "--json", *yes)
    assert (ran.code, ran.document["kept"]) == (1, [CUT.strip()])


def test_sizes_are_those_of_the_others(shelf: Path) -> None:
    ran = on(shelf, "archive", "pack", "shelf", "--sizes")
    assert (ran.code, ran.err) == (1, f"left out: {CUT}")
    assert ran.out.endswith("\n2 packed games\n")


@pytest.fixture
def half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive of two row groups, the second of them damaged in its record."""
    tmp_path = tmp_path / "half"
    monkeypatch.setattr(packing, "GROUP_GAMES", 1)
    for seed in (1, 2):
        games.counting(tmp_path / f"{seed}.jsonl", seed=seed)
    pack_folder(tmp_path)
    (archive,) = at_rest.archives(tmp_path)
    opened = at_rest.opened(archive)
    parts = opened._file.metadata.row_group(1)
    columns = map(parts.column, range(parts.num_columns))
    start = next(column.data_page_offset for column in columns if column.path_in_schema == "record")
    data = bytearray(archive.read_bytes())
    data[start + 30] ^= 0xFF
    archive.write_bytes(data)
    return tmp_path


def test_the_undamaged_part_of_an_archive_is_restored(half: Path) -> None:
    damaged: list[at_rest.UnreadableArchive] = []
    whole = load_record(half / "1.jsonl")
    assert unpack_folder(half, damaged=damaged) == 1
    assert [f"{half}/archive-000001.parquet: part 2 is damaged (" in str(error) for error in damaged] == [True]
    assert (half / "1.jsonl").is_file()
    assert not (half / "2.jsonl").exists()
    assert at_rest.archives(half), "it stays"
    assert load_record(half / "1.jsonl") == whole
    with pytest.raises(UserError, match="part 2 is damaged"):
        load_record(half / "2.jsonl")
    with pytest.raises(UserError, match="part 2 is damaged"):
        unpack_folder(half)


def test_a_file_whose_packed_game_is_damaged_is_not_deleted(half: Path) -> None:
    games.counting(half / "2.jsonl", seed=2)
    kept = pack_folder(half).kept
    assert [f"{half}/2.jsonl: the packed game of the same name cannot be read: " in reason for reason in kept] == [True]
    assert load_record(half / "2.jsonl").result


def test_a_name_is_looked_for_in_all_archives_that_can_be_read(tmp_path: Path) -> None:
    for name in "abcde":
        games.counting(tmp_path / f"{name}.jsonl")
        pack_folder(tmp_path)
    archives = at_rest.archives(tmp_path)
    archives[2].write_bytes(b"PAR1 nothing")  # where a binary search begins
    for name in "abde":
        assert load_record(tmp_path / f"{name}.jsonl").result
    with pytest.raises(at_rest.UnreadableArchive, match=archives[2].name):
        load_record(tmp_path / "c.jsonl")
    assert not at_rest.exists(tmp_path / "no-record")
    with pytest.raises(at_rest.UnreadableArchive):
        find_records([tmp_path])
    damaged: list[at_rest.UnreadableArchive] = []
    assert [path.stem for path in find_records([tmp_path], damaged)] == ["a", "b", "d", "e"]
    assert [error.path for error in damaged] == [archives[2]]


def test_a_failed_run_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk it would take the place that the user has to make."""
    games.counting(tmp_path / "a.jsonl")

    def full(path: Path) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(packing, "sync", full)
    with pytest.raises(UserError, match=r"cannot pack .*: No space left on device"):
        pack_folder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
