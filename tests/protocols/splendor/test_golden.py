"""A golden transcript of a whole game."""

from __future__ import annotations

from .golden import GOLDEN, golden_game


def test_the_golden_game_is_played_as_it_was_written_down() -> None:
    assert golden_game() == GOLDEN.read_text(encoding="utf-8")
