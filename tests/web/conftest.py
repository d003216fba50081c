"""Saved games of the null games, in a folder where their protocols are known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.web.library import Library
from tests.records import games
from tests.web.served import Served, serving


@pytest.fixture
def shelf(place: Path) -> Path:
    """A folder with two games."""
    folder = place / "games"
    folder.mkdir()
    games.counting(folder / "counted.jsonl")
    games.bidding(folder / "sold.jsonl")
    return folder


@pytest.fixture
def served(shelf: Path) -> Iterator[Served]:
    with serving(Library(folder=shelf)) as running:
        yield running
