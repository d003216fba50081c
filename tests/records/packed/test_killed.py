"""Packing and unpacking lose nothing, at whatever step they are killed."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arbiter import output_files
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.packed import columns, packing
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.columns import COLUMNS, PackedGame
from arbiter.records.packed.packing import pack_folder
from arbiter.records.packed.unpacking import unpack_folder
from arbiter.records.reader import check_record, find_records, load_record, record_bytes
from tests.records import games

pytestmark = pytest.mark.slow

STEPS = ("open", "fsync", "rename", "unlink", "chmod", "utime", "sync")
"""Every system call that changes what is on the disk."""


def folder_of_games(folder: Path) -> dict[str, bytes]:
    """Five games, one with logs; returns their files."""
    for number in range(4):
        games.counting(folder / f"0000{number}-a-b.jsonl", seed=number)
    games.bidding(folder / "00004-ü.jsonl")
    (folder / "00001-a-b.stderr.gz").write_bytes(gzip.compress(b'{"seat":0,"turn":1,"text":"x"}\n'))
    (folder / "00001-a-b.referee.json.gz").write_bytes(gzip.compress(b'{"scores":{"0":1,"1":2}}'))
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do the work in a child process that is killed before its n-th step; returns whether it was."""
    child = os.fork()
    if child == 0:
        count = 0

        def counted(call: Callable[..., Any]) -> Callable[..., Any]:
            def run(*args: Any, **more: Any) -> Any:
                nonlocal count
                count += 1
                if count == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*args, **more)

            return run

        for name in STEPS:
            setattr(os, name, counted(getattr(os, name)))
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def all_there(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        assert record_bytes(folder / name) == data
    assert [path.name for path in find_records([folder])] == sorted(name for name in files if name.endswith(".jsonl"))


def every_step(folder: Path, files: dict[str, bytes], work: Callable[[], object]) -> int:
    """Kill the work at each of its steps, and finish it; returns how many steps it has."""
    before = contents(folder)
    step = 1
    while killed_at(step, work):
        all_there(folder, files)
        work()
        all_there(folder, files)
        for path in folder.iterdir():
            path.unlink()
        for name, data in before.items():
            (folder / name).write_bytes(data)
        step += 1
    return step


def test_pack_killed_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = folder_of_games(tmp_path)
    monkeypatch.setattr(packing, "ARCHIVE_GAMES", 3)  # two archives
    assert every_step(tmp_path, files, lambda: pack_folder(tmp_path)) > 20


def test_unpack_killed_at_every_step(tmp_path: Path) -> None:
    files = folder_of_games(tmp_path)
    pack_folder(tmp_path)
    assert every_step(tmp_path, files, lambda: unpack_folder(tmp_path)) > 20
    assert contents(tmp_path) == files


def test_packed_games_have_no_files_and_come_back(tmp_path: Path) -> None:
    files = folder_of_games(tmp_path)
    records = [name for name in files if name.endswith(".jsonl")]
    modified = {name: (tmp_path / name).stat().st_mtime_ns // 1_000_000 for name in records}
    done = pack_folder(tmp_path)
    assert (done.games, done.unfinished, done.kept) == (5, 0, [])
    assert [path.name for path in tmp_path.iterdir()] == ["archive-000001.parquet"]
    all_there(tmp_path, files)
    assert unpack_folder(tmp_path) == 5
    assert contents(tmp_path) == files
    assert {name: (tmp_path / name).stat().st_mtime_ns // 1_000_000 for name in records} == modified


def test_unfinished_and_damaged_records_stay_files(tmp_path: Path) -> None:
    folder_of_games(tmp_path)
    whole = (tmp_path / "00000-a-b.jsonl").read_bytes()
    (tmp_path / "cut.jsonl").write_bytes(whole[:-30])
    (tmp_path / "bad.jsonl").write_bytes(b"no record\n")
    done = pack_folder(tmp_path)
    assert (done.games, done.unfinished, len(done.kept)) == (5, 1, 1)
    assert {path.name for path in tmp_path.iterdir()} == {"archive-000001.parquet", "cut.jsonl", "bad.jsonl"}


def test_a_file_counts_more_than_a_packed_game(tmp_path: Path) -> None:
    files = folder_of_games(tmp_path)
    pack_folder(tmp_path)
    other = games.counting(tmp_path / "00000-a-b.jsonl", seed=77)
    assert load_record(tmp_path / "00000-a-b.jsonl").header.seed == 77
    assert len(find_records([tmp_path])) == 5
    assert "differs" in pack_folder(tmp_path).kept[0]
    with pytest.raises(UserError, match="differs from the packed game"):
        unpack_folder(tmp_path)
    assert other.path.exists()
    other.path.unlink()
    all_there(tmp_path, files)


def test_a_record_that_changes_while_it_is_packed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = folder_of_games(tmp_path)
    real = output_files.sync

    def sync(path: Path) -> None:
        if path.name.endswith(".partial"):
            (tmp_path / "00002-a-b.jsonl").write_bytes(files["00002-a-b.jsonl"] + b"\n")
        real(path)

    monkeypatch.setattr(packing, "sync", sync)
    with pytest.raises(UserError, match="changed while it was packed"):
        pack_folder(tmp_path)
    assert not at_rest.archives(tmp_path)
    assert set(files) <= set(contents(tmp_path))


def test_what_is_damaged_between_writing_and_reading_back_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Page checksums notice a damaged byte; games that are missing are noticed as well."""
    files = folder_of_games(tmp_path)

    def replaced(path: Path) -> None:
        if path.name.endswith(".partial"):
            write_archive(path, ["00000-a-b.jsonl"], files["00000-a-b.jsonl"])

    monkeypatch.setattr(packing, "sync", replaced)
    with pytest.raises(UserError, match="cannot be read back as it was written; nothing was deleted"):
        pack_folder(tmp_path)
    assert not at_rest.archives(tmp_path)
    assert files.items() <= contents(tmp_path).items()


def test_several_archives_and_row_groups_hold_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = folder_of_games(tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    (tmp_path / "b" / "bad.jsonl").write_bytes(b"no record\n")
    pack_folder(tmp_path / "a")
    monkeypatch.setattr(packing, "ARCHIVE_GAMES", 2)
    monkeypatch.setattr(packing, "GROUP_GAMES", 1)
    done = pack_folder(tmp_path / "b")
    assert (done.games, done.before, len(done.kept)) == (5, sum(map(len, files.values())), 1)
    all_there(tmp_path / "b", {**files, "bad.jsonl": b"no record\n"})
    archives = [[Archive(path) for path in at_rest.archives(tmp_path / name)] for name in "ab"]
    assert [[len(archive) for archive in those] for those in archives] == [[5], [2, 2, 1]]
    one, other = (pa.concat_tables([each.columns(list(COLUMNS)) for each in those]) for those in archives)
    assert one.drop_columns("modified").equals(other.drop_columns("modified"))


def write_archive(path: Path, names: Sequence[str], data: bytes) -> None:
    """Write an archive in which all these games have the same record."""
    record = check_record(path, data)
    rows = [columns.row(PackedGame(name, data, {}, 0), record) for name in names]
    with pq.ParquetWriter(path, columns.schema(), **columns.writing()) as writer:
        writer.write_table(columns.table(rows))


def test_names_in_an_archive_do_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    data = games.counting(tmp_path / "x.jsonl").path.read_bytes()
    write_archive(tmp_path / "in" / "archive-000001.parquet", ["../evil.jsonl"], data)
    with pytest.raises(UserError, match="cannot be the name"):
        unpack_folder(tmp_path / "in")
    assert not (tmp_path / "evil.jsonl").exists()
