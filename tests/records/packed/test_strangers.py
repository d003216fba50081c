"""Archives and logs that a stranger made to do harm: all of them are small files."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arbiter import cli
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.packed import archive, bounded_memory, column_file, unpacking
from arbiter.records.packed.packing import pack_folder
from arbiter.records.reader import find_records, load_record
from tests.records import games

pytestmark = pytest.mark.slow

GAME = "game.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an archive of one game."""
    games.counting(tmp_path / GAME)
    pack_folder(tmp_path)
    return tmp_path


def with_value(folder: Path, column: str, value: object) -> Path:
    """Put a value into the archive of a folder, compressed as well as possible."""
    (path,) = at_rest.archives(folder)
    table = pq.read_table(path)
    at = table.schema.get_field_index(column)
    field = table.schema.field(at)
    pq.write_table(table.set_column(at, field, pa.array([value], field.type)), path, compression="zstd")
    return path


def test_an_archive_cannot_take_all_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = with_value(folder, "record", b"\n" * (48 << 20)).stat().st_size
    assert size < 1 << 20
    monkeypatch.setattr(bounded_memory, "MOST_BYTES", 12 << 20)
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(UserError, match="it takes too much memory"):
        load_record(folder / GAME)
    with pytest.raises(UserError, match="it takes too much memory"):
        unpacking.unpack_folder(folder)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_a_statement_about_an_archive_cannot_take_all_memory_either(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arbiter.records.packed import sql

    with_value(folder, "record", b"\n" * (48 << 20))
    monkeypatch.setattr(bounded_memory, "MOST_BYTES", 12 << 20)
    with pytest.raises(UserError, match=r"^--sql: .*(?i:memory)"):
        sql.ask(folder, "SELECT octet_length(record) FROM games")


def test_an_archive_that_admits_to_its_size_is_not_even_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_value(folder, "record", b"\n" * 20_000)
    monkeypatch.setattr(column_file, "_MOST_BYTES", 10_000)
    with pytest.raises(UserError, match="it takes too much memory"):
        load_record(folder / GAME)


def test_a_packed_record_is_not_larger_than_a_file_that_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_value(folder, "record", b"\n" * 20_000)
    monkeypatch.setattr("arbiter.records.reader.MOST_BYTES", 10_000)
    for act in (lambda: load_record(folder / GAME), lambda: unpacking.unpack_folder(folder)):
        with pytest.raises(UserError, match="too large for a saved game"):
            act()
    assert [path.name for path in folder.iterdir() if path.suffix == ".jsonl"] == []


def test_an_archive_cannot_fill_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_value(folder, "stderr_log", b"x" * 20_000)
    monkeypatch.setattr(unpacking, "_MOST_BYTES", 10_000)
    with pytest.raises(UserError, match="unpacks to more than"):
        unpacking.unpack_folder(folder)
    assert [path.suffix for path in folder.iterdir()] == [".parquet"]


def test_an_archive_with_too_many_rows_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_file, "_MOST_GAMES", 0)
    (path,) = at_rest.archives(folder)
    with pytest.raises(UserError, match="1 games, but an archive has at most 0"):
        archive.Archive(path)


def test_a_named_pipe_in_the_place_of_an_archive_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "archive-000001.parquet")
    with pytest.raises(UserError, match="a device or a named pipe"):
        find_records([tmp_path])


STRANGE: list[tuple[str, Any]] = [
    ("name", None), ("record", None), ("record", b""), ("record", b"{}\n"), ("protocol", None), ("turns", None), ("agents", None),
    ("agents", ["a", None]), ("agents", ["a"]), ("agents", []), ("fingerprints", ["", "", ""]), ("ranks", None), ("ranks", [1]),
    ("ranks", [1, None]), ("scores", [1.0]), ("scores", [None, 1.0]), ("seed", None), ("seed", "x"), ("seed", "1" * 5000),
    ("started", -(1 << 62)), ("started", 1 << 62), ("ended", 1 << 62), ("reason", None), ("data", None), ("data", "{"),
    ("data", "[" * 100_000), ("answers", [1]), ("think_us", None), ("slowest_us", [None, 1]), ("faults", None), ("faults", [None]),
    ("faults", [{"turn": 1, "seat": 100, "kind": "late", "detail": ""}]), ("faults", [{"seat": 0}]), ("kibitz", None),
    ("kibitz", ["a", "a", "a", "a"]), ("kibitz", [None]), ("digest", None),
    ("annulled", ""), ("technical", None),
]  # fmt: skip
COMMANDS = [
    ["games"], ["games", "--json"], ["games", "--lost", "one"], ["games", "--fault", "late"], ["games", "--kibitz", "a"], ["games", "--kibitz", "a", "--agent", "one"],
    ["games", "--format", "csv"], ["games", "--sql", "SELECT * FROM games"], ["games", "--sql", "SELECT * FROM kibitz_lines"], ["games", "--sql", "SELECT * FROM answers"],
    ["games", "--stats"], ["games", "--stats", "--json"], ["games", "--stats", "--agent", "one"], ["verify"], ["why"], ["archive", "unpack"],
]  # fmt: skip


@pytest.mark.parametrize(("column", "value"), STRANGE)
def test_columns_that_do_not_fit_together_are_never_a_bug(
    folder: Path, column: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_value(folder, column, value)
    for words in COMMANDS:
        monkeypatch.setattr("sys.argv", ["arbiter", *words, str(folder)])
        assert cli._run() in (0, 1, 2), words


def test_no_cell_of_a_list_of_games_is_a_formula(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with_value(folder, "reason", "=HYPERLINK()")
    for words in (["--format", "csv"], ["--sql", "SELECT reason FROM games", "--format", "csv"]):
        monkeypatch.setattr("sys.argv", ["arbiter", "games", str(folder), *words])
        assert cli._run() == 0
        assert b"'=HYPERLINK()" in capfdbinary.readouterr().out
