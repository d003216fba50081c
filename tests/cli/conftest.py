"""Saved games to run commands on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.nullgame.place import arbiter_toml
from tests.records import games


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with arbiter.toml and four games: counted, sold, cut (in a turn of sold), and changed (a rank)."""
    folder = tmp_path_factory.mktemp("shelf")
    arbiter_toml(folder)
    counted = games.counting(folder / "counted.jsonl")
    sold = games.bidding(folder / "sold.jsonl")
    (folder / "cut.jsonl").write_bytes(b"\n".join(sold.path.read_bytes().splitlines()[:6])[:-20])
    games.tampered(counted, folder / "changed.jsonl", lambda lines: lines[-1].update(ranks=[1, 2]))
    return folder
