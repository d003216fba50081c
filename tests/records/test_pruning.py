"""Pruned games are the same games: moves, results and digests stay; killed at any moment nothing else is lost."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arbiter.cli.prune import _files as prune_files
from arbiter.cli.prune import _packed as prune_packed
from arbiter.records import at_rest
from arbiter.records.packed.packing import pack_folder
from arbiter.records.packed.unpacking import unpack_folder
from arbiter.records.pruning import PARTS, Part, Pruned, prune_file, pruned_record
from arbiter.records.reader import Record, check_record, find_records, load_record, record_bytes
from arbiter.records.search.query import Query
from arbiter.records.stderr_log import log_path
from arbiter.records.verify import differences
from tests.nullgame import auction, count_up
from tests.nullgame.command import arbiter
from tests.records import games
from tests.records.packed.test_killed import contents, killed_at

pytestmark = pytest.mark.slow


def folder_of_games(folder: Path) -> dict[str, bytes]:
    """Three old games and a new one, with times, kibitz and a log; returns their files."""
    folder.mkdir(exist_ok=True)
    for number in range(3):
        games.counting(folder / f"0{number}.jsonl", seed=number, wall_ns=5_000_000, started="2024-01-01T00:00:00.000Z")
    games.bidding(folder / "new.jsonl")
    log_path(folder / "01.jsonl").write_bytes(gzip.compress(b'{"seat":0,"turn":1,"text":"x"}\n'))
    return contents(folder)


def prune(folder: Path, parts: tuple[Part, ...] = PARTS, query: Query | None = None, *, really: bool = True) -> Pruned:
    total = Pruned()
    prune_files(folder, query or Query(finished=True), parts, total, really=really)
    prune_packed(folder, query or Query(finished=True), parts, total, [], really=really)
    return total


def same_game(one: Record, other: Record) -> bool:
    """Whether two records differ in kibitz, times and the mark at most."""

    def kept(record: Record) -> object:
        lines = [(each.turn, each.seat, each.move, each.fault, each.chance, each.left_us) for each in record.answers]
        result = record.result
        return result and (record.names, lines, result.ranks, result.scores, result.digest, result.data)

    return kept(one) == kept(other)


@pytest.mark.parametrize("parts", [("kibitz",), ("times",), ("kibitz", "times")])
def test_what_is_kept_and_what_is_dropped(tmp_path: Path, parts: tuple[Part, ...]) -> None:
    protocols = {"auction": auction.protocol, "count_up": count_up.protocol}
    folder_of_games(tmp_path)
    dropped: set[str] = set()
    for path in find_records([tmp_path]):
        before, data = load_record(path), pruned_record(path, path.read_bytes(), parts)
        if data is None:
            continue
        after = check_record(path, data)
        assert same_game(before, after)
        assert after.is_unchanged()
        assert not list(differences(after, protocols[after.header.protocol]))
        dropped.update(after.header.pruned or ())
        if "kibitz" in parts:
            assert not any(line.kibitz for line in after.answers)
            assert after.result is not None
            assert not after.result.afterwards
        else:
            assert [line.kibitz for line in after.answers] == [line.kibitz for line in before.answers]
        times = [(line.wall_us, line.cpu_us, line.charged_us, line.waited_us) for line in after.answers]
        if "times" in parts:
            assert not any(map(any, times))
        assert pruned_record(path, data, parts) is None
    assert dropped == set(parts)


def test_packed_games_become_what_files_become(tmp_path: Path) -> None:
    folder_of_games(tmp_path / "files")
    shutil.copytree(tmp_path / "files", tmp_path / "packed")
    pack_folder(tmp_path / "packed")
    query = Query(until_us=1_720_000_000_000_000, finished=True)
    loose, packed = prune(tmp_path / "files", query=query), prune(tmp_path / "packed", query=query)
    assert (loose.matching, loose.games) == (packed.matching, packed.games) == (3, 3)
    unpack_folder(tmp_path / "packed")
    for name in ("00.jsonl", "01.jsonl", "02.jsonl", "new.jsonl"):
        assert (tmp_path / "packed" / name).read_bytes() == (tmp_path / "files" / name).read_bytes()
    assert not list(tmp_path.rglob("*.stderr.gz"))
    assert load_record(tmp_path / "files" / "01.jsonl").header.pruned == ["times", "logs"]
    assert prune(tmp_path / "files", query=query).games == 0


def test_a_preview_changes_nothing(tmp_path: Path) -> None:
    folder_of_games(tmp_path)
    before = contents(tmp_path)
    shown = prune(tmp_path, really=False)
    after = {name: data for name, data in contents(tmp_path).items() if not name.endswith("sqlite")}
    assert after == before
    done = prune(tmp_path)
    assert (shown.games, shown.freed, shown.before) == (done.games, done.freed, done.before)
    pack_folder(tmp_path)
    (archive,) = at_rest.archives(tmp_path)
    packed = archive.read_bytes()
    assert prune(tmp_path, really=False).games == 0
    assert archive.read_bytes() == packed


def test_a_preview_of_packed_games_counts_those_with_anything_to_drop(tmp_path: Path) -> None:
    folder_of_games(tmp_path)
    pack_folder(tmp_path)
    parts: list[tuple[Part, ...]] = [("kibitz",), ("times",), ("logs",), PARTS]
    for each in parts:
        shown = prune(tmp_path, each, really=False)
        done = prune_copy(tmp_path, each)
        assert (shown.games, shown.before, shown.freed) == (done.games, done.before, done.freed)


def prune_copy(folder: Path, parts: tuple[Part, ...]) -> Pruned:
    """Prune, and put everything back."""
    before = contents(folder)
    try:
        return prune(folder, parts)
    finally:
        for name, data in before.items():
            (folder / name).write_bytes(data)


def test_a_game_with_a_wrong_digest_is_not_changed(tmp_path: Path) -> None:
    record = games.counting(tmp_path / "a.jsonl", wall_ns=5_000_000)
    games.tampered(record, tmp_path / "a.jsonl", lambda lines: lines[-1].update(ranks=[1, 2]))
    before = (tmp_path / "a.jsonl").read_bytes()
    done = prune_file(tmp_path / "a.jsonl", PARTS, really=True)
    assert (done.games, len(done.kept)) == (0, 1)
    assert "digest" in done.kept[0]
    pack_folder(tmp_path)
    assert (prune(tmp_path).games, len(prune(tmp_path).kept)) == (0, 1)
    assert record_bytes(tmp_path / "a.jsonl") == before


def every_step(folder: Path, make: Callable[[], None], least: int) -> None:
    """Kill pruning at every step: each game is then as before or pruned, and the next run finishes the work."""
    make()
    old = {path.name: record_bytes(path) for path in find_records([folder])}
    prune(folder)
    new = {path.name: record_bytes(path) for path in find_records([folder])}
    step = 1
    while True:
        for path in folder.iterdir():
            path.unlink()
        make()
        if not killed_at(step, lambda: prune(folder)):
            break
        for name, data in old.items():
            assert record_bytes(folder / name) in (data, new[name])
        prune(folder)
        assert {path.name: record_bytes(path) for path in find_records([folder])} == new
        assert not at_rest.log_exists(log_path(folder / "01.jsonl"))
        assert not [path for path in folder.iterdir() if path.name.endswith(".partial")]
        step += 1
    assert step > least


def test_files_killed_at_every_step(tmp_path: Path) -> None:
    files = folder_of_games(tmp_path)

    def make() -> None:
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)

    every_step(tmp_path, make, 15)


def test_archives_killed_at_every_step(tmp_path: Path) -> None:
    folder_of_games(tmp_path)
    pack_folder(tmp_path)
    files = contents(tmp_path)

    def make() -> None:
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)

    every_step(tmp_path, make, 4)


def test_the_command_shows_first_and_drops_with_yes(place: Path) -> None:
    folder_of_games(place / "games")
    before = contents(place / "games")
    shown = arbiter("archive", "prune", "games", "--drop", "times", "--before", "2025-01-01", folder=place)
    assert "nothing was changed" in shown.out
    assert {name: (place / "games" / name).read_bytes() for name in before} == before
    done = arbiter(
        "archive", "prune", "games", "--drop", "times", "--before", "2025-01-01", "--yes", "--json", folder=place
    )
    assert done.document["files"]["games"] == 3
    assert done.document["done"] is True
    assert arbiter("verify", "games", folder=place).code == 0
    assert (
        "no times"
        in arbiter("archive", "prune", "games", "--drop", "times", "--before", "2025-01-01", folder=place).out
    )
    assert arbiter("archive", "prune", "games", folder=place).code == 2


def test_three_parts_are_listed_with_a_comma(place: Path) -> None:
    folder_of_games(place / "g")
    shown = arbiter("archive", "prune", "g", "--drop", "kibitz", "--drop", "times", "--drop", "logs").out
    assert "add --yes to drop kibitz, times and logs, which" in shown
    assert "with kibitz, times and logs" in shown
