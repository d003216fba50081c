"""Golden transcripts of whole games."""

from __future__ import annotations

from .golden import GOLDEN, golden_games


def test_the_golden_games_are_played_as_they_were_written_down() -> None:
    assert golden_games() == GOLDEN.read_text(encoding="utf-8")
