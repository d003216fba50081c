"""Thousands of answers to each game, sensible or not, are read as its rules say."""

from __future__ import annotations

from importlib import import_module

import pytest

from .golden import GAMES

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_every_answer_is_read_as_the_rules_say(game: str, seed: int) -> None:
    import_module(f"tests.protocols.{game}.fuzz").fuzz(seed, 6_000)
