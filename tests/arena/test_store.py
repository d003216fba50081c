"""What survives a restart, and how keys are stored."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.arena.store import GameRow, Store
from arbiter.errors import UserError
from tests.tools import ROOT


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "arena.sqlite")


def test_a_key_finds_its_team_also_after_a_restart(store: Store, tmp_path: Path) -> None:
    key = store.register("Les Pommes")
    assert len(key) == 8
    assert store.keys.team(key) == "Les Pommes"
    assert store.keys.team(key.upper() + "x") is None
    store.close()
    assert Store(tmp_path / "arena.sqlite").keys.team(key) == "Les Pommes"


def test_a_key_is_hashed_once_and_forgotten_with_the_next_one(store: Store) -> None:
    old = store.register("Les Pommes")
    assert store.keys.recognised(old) is None
    store.keys.team(old)
    assert store.keys.recognised(old) == "Les Pommes"
    new = store.new_key("Les Pommes")
    assert (store.keys.recognised(old), store.keys.team(old), store.keys.team(new)) == (None, None, "Les Pommes")


def test_the_file_does_not_hold_keys(store: Store, tmp_path: Path) -> None:
    keys = [store.register(f"team {number}") for number in range(20)]
    store.close()
    files = list(tmp_path.iterdir())
    data = b"".join(file.read_bytes() for file in files)
    assert b"team 7" in data
    assert not any(key.encode() in data for key in keys)
    assert all(file.stat().st_mode & 0o077 == 0 for file in files)


def test_equal_keys_have_different_hashes_in_different_files(tmp_path: Path) -> None:
    hashes = []
    for name in ("a", "b"):
        store = Store(tmp_path / name)
        store.register("team", "samekey1")
        hashes.append(store.keys.hash("samekey1"))
    assert hashes[0] != hashes[1]


@pytest.mark.parametrize("name", ["", "ab", "x" * 41, "tab\x07bell", "  a  "])
def test_names_are_checked(store: Store, name: str) -> None:
    with pytest.raises(UserError, match="must be 3 to 40 printable characters"):
        store.register(name)


def test_a_name_is_taken_once_whatever_its_case(store: Store) -> None:
    store.register("Les Pommes")
    with pytest.raises(UserError, match="the name is taken"):
        store.register("les  pommes")


def test_running_games_are_marked_and_waiting_ones_can_still_be_joined(store: Store) -> None:
    for number, (kind, status) in enumerate(
        [("official", "waiting"), ("official", "playing"), ("official", "finished"), ("queue", "waiting"),
         ("training", "playing")]
    ):  # fmt: skip
        store.save(GameRow(f"game{number}", kind, "heroes", "", ("",), {"rounds": 3}, 1, status))  # type: ignore[arg-type]
    assert store.recover() == 3
    found = [store.game(f"game{number}") for number in range(5)]
    assert [row and row.status for row in found] == ["waiting", "aborted", "finished", "aborted", "aborted"]
    assert found[1]
    assert found[1].reason == "the server was restarted"
    assert [row.id for row in store.games(["official"], ["waiting", "finished"])] == ["game2", "game0"]


def test_actions_are_logged(store: Store) -> None:
    store.log("127.0.0.1", "created game x")
    store.log("127.0.0.1", "started game x")
    assert [what for _, _, what in store.log_lines()] == ["created game x", "started game x"]


@pytest.mark.parametrize("seed", [0, 7, 2**63, 2**128 - 1])
def test_a_game_keeps_any_seed(store: Store, seed: int) -> None:
    """Random seeds have 128 bits, more than an integer of SQLite."""
    store.save(GameRow("g", "official", "heroes", "", ("a",), {}, seed))
    found = store.game("g")
    assert found is not None
    assert found.seed == seed


def test_a_game_keeps_the_time_of_its_creation(store: Store) -> None:
    row = GameRow("game1", "official", "heroes", "", ("",), {}, 1)
    store.save(row)
    store.save(replace(row, status="playing"))
    found = store.game("game1")
    assert found
    assert (found.at, found.status) == (row.at, "playing")


CLOSING = """
import sqlite3, sys, threading
from pathlib import Path
from arbiter.arena.store import Store

def read(begun):
    begun.wait()
    try:
        while True:
            store.setting("salt"), store.teams()
    except sqlite3.ProgrammingError as error:
        assert "closed database" in str(error), error

for number in range(60):
    store = Store(Path(sys.argv[1]) / f"{number}.sqlite")
    begun = threading.Barrier(3)
    readers = [threading.Thread(target=read, args=[begun]) for _ in range(2)]
    for reader in readers: reader.start()
    begun.wait()
    store.close()
    for reader in readers: reader.join()
"""


def test_it_can_be_closed_while_threads_read(tmp_path: Path) -> None:
    """In another process, since it used to crash."""
    done = subprocess.run(
        [sys.executable, "-c", CLOSING, tmp_path], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")
