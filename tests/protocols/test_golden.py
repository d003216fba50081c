"""A golden transcript of a whole game of each protocol."""

from __future__ import annotations

import pytest

from .golden import GAMES, golden_file, golden_game


@pytest.mark.parametrize("game", GAMES)
def test_the_golden_game_is_played_as_it_was_written_down(game: str) -> None:
    assert golden_game(game) == golden_file(game).read_text(encoding="utf-8")
