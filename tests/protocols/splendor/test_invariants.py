"""Invariants of every turn, and replay from the record."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.game import Game
from arbiter.testing import playthrough, replay
from protocols.splendor import protocol

from .table import check_invariants, pick, random_answer

pytestmark = pytest.mark.slow

ILLEGAL = (
    "1 3 0 0 0",
    "1 4 0 1 2 3",
    "2 5",
    "3 0",
    "4 91",
    "1 0 0",
    "4 1 1",
    "pass",
    "",
    "\x00",
    "1 1 0 5 5 5",
    "3 -4",
)


def mixed_answer(game: Game, seat: int, rng: random.Random) -> str:
    """Return an answer, mostly a legal one."""
    return pick(ILLEGAL, rng) if rng.random() < 0.15 else random_answer(game, seat, rng)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**40), seats=st.integers(1, 4), return_gold=st.booleans(), max_rounds=st.integers(1, 40))
def test_chips_and_cards_are_conserved_and_a_record_replays(
    seed: int, seats: int, return_gold: bool, max_rounds: int
) -> None:
    options = {"return_gold": return_gold, "max_rounds": max_rounds}
    played = playthrough(protocol, mixed_answer, seats=seats, seed=seed, options=options, after_turn=check_invariants)
    assert played.result is not None
    assert len(played.turns) <= seats * max_rounds
    assert len(played.turns) % seats == 0
    assert not any(turn.chance for turn in played.turns)
    replay(played)


def test_random_games_come_to_an_end_by_points() -> None:
    winners = 0
    for seed in range(12):
        result = playthrough(protocol, random_answer, seats=3, seed=seed).result
        assert result is not None
        winners += max(result.scores) >= 15
        assert (1 in result.ranks) == (max(result.scores) >= 15)
    assert winners > 6
