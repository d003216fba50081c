"""A golden transcript of a whole match."""

from __future__ import annotations

from .golden import GOLDEN, golden_match


def test_the_golden_match_is_played_as_it_was_written_down() -> None:
    assert golden_match() == GOLDEN.read_text(encoding="utf-8")
