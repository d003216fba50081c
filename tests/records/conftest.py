"""Two saved games, written once."""

from __future__ import annotations

import pytest

from arbiter.records.reader import Record
from tests.records import games


@pytest.fixture(scope="session")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return games.counting(tmp_path_factory.mktemp("counted") / "game.jsonl")


@pytest.fixture(scope="session")
def sold(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return games.bidding(tmp_path_factory.mktemp("sold") / "game.jsonl")
