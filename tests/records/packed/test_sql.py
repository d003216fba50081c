"""SQL sees all finished games, files and packed, and nothing else of the machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from arbiter.errors import UserError
from arbiter.records.packed.packing import pack_folder
from arbiter.records.reader import load_record
from arbiter.records.search.kibitz import remarks
from tests.records import games
from tests.tools import ROOT

pytestmark = pytest.mark.slow


def ask(folder: Path, question: str) -> Any:
    """Ask as --sql does. DuckDB is imported only here: a process that has imported it complains of leaks when it ends."""
    from arbiter.records.packed import sql

    return sql.ask(folder, question)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three packed games in a folder with a quote in its name, one of them a file again, and a file in another folder."""
    shelf = tmp_path / "it's"
    for number in range(3):
        games.counting(shelf / f"{number}.jsonl", seed=number, wall_ns=5_000_000)
    data = (shelf / "1.jsonl").read_bytes()
    pack_folder(shelf)
    (shelf / "1.jsonl").write_bytes(data)
    games.counting(shelf / "inner" / "0.jsonl", seed=9)
    return shelf


def test_files_and_packed_games_are_one_table(folder: Path) -> None:
    assert ask(folder, "SELECT seed FROM games ORDER BY seed").to_pylist() == [{"seed": seed} for seed in "0129"]


def test_times_are_those_of_the_record(folder: Path) -> None:
    question = "SELECT wall_us, cpu_us, charged_us, waited_us FROM answers WHERE name = '2.jsonl' ORDER BY turn"
    answers = load_record(folder / "2.jsonl").answers
    assert max(line.wall_us for line in answers) == 5000
    assert [tuple(row.values()) for row in ask(folder, question).to_pylist()] == [
        (line.wall_us, line.cpu_us, line.charged_us, line.waited_us) for line in answers
    ]
    assert ask(folder, "SELECT count(*) AS n FROM seats").to_pylist() == [{"n": 8}]


def test_lines_of_kibitz_have_their_turn_and_agent(tmp_path: Path) -> None:
    shutil.copy(ROOT / "matches" / "samples" / "splendor.jsonl", tmp_path / "a.jsonl")
    spoken = [(each.turn, each.seat, each.text) for each in remarks(load_record(tmp_path / "a.jsonl"))]
    assert spoken
    pack_folder(tmp_path)
    found = ask(tmp_path, "SELECT turn, seat, line, agent FROM kibitz_lines").to_pylist()
    assert [(row["turn"], row["seat"], row["line"]) for row in found] == spoken
    names = load_record(tmp_path / "a.jsonl").names
    assert [row["agent"] for row in found] == [names[seat] for _, seat, _ in spoken]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/etc/*')",
        "COPY games TO 'stolen.csv'",
        "ATTACH 'other.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT 1; SELECT 2",
        "CREATE TABLE t (a INT)",
        "SELECT * FROM folder",
        "SELEC",
        "",
    ],
)
def test_nothing_else_can_be_reached(folder: Path, statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    before = sorted(folder.rglob("*"))
    with pytest.raises(UserError, match=r"^--sql: ") as raised:
        ask(folder, statement)
    assert "\n" not in str(raised.value)
    assert sorted(folder.rglob("*")) == before


def test_what_does_not_fit_into_memory_is_not_written_to_the_disk(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arbiter.records.packed import sql

    monkeypatch.setitem(sql.SETTINGS, "memory_limit", "32MB")
    with pytest.raises(UserError, match=r"^--sql: Out of Memory"):
        ask(
            folder,
            "SELECT count(*) FROM (SELECT DISTINCT x || 'abcdefghijklmnopqrstuvwxyz' FROM range(1000000) AS t(x))",
        )
