"""Invariants of every turn, and agreement with an independent implementation of the rules."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.game import Chance, Game
from arbiter.testing import playthrough, replay
from protocols.heroes import protocol
from protocols.heroes.rules import DISCONNECT

from .oracle import Oracle
from .table import WORDS, Watch, lively_answer, new_game, pick

pytestmark = pytest.mark.slow

NONSENSE = ("", "N", "up", "Stay disconnect", "\x00", "North North", "\ufffd", "x" * 1000)


def mixed_answer(game: Game, seat: int, rng: random.Random) -> str:
    """Return an answer, mostly a direction."""
    return pick(NONSENSE, rng) if rng.random() < 0.1 else lively_answer(game, seat, rng)


@st.composite
def small_maps(draw: st.DrawFn, spikes: bool = True) -> list[str]:
    """Return crowded maps, on which much happens in few rounds."""
    size = draw(st.integers(3, 6))
    kinds = ["  ", "  ", "  ", "##", "[]", "$-", "$-", "$1", "$3"] + ["^^"] * spikes
    cells = draw(st.lists(st.sampled_from(kinds), min_size=size * size, max_size=size * size))
    starts = draw(st.permutations(range(size * size)))[:4]
    for hero, cell in enumerate(starts, 1):
        cells[cell] = f"@{hero}"
    return ["".join(cells[row : row + size]) for row in range(0, size * size, size)]


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**40),
    preset=st.sampled_from(["contest", "vindinium"]),
    size=st.sampled_from([0, 10, 12]),
    rounds=st.integers(1, 40),
)
def test_mines_life_and_gold_keep_their_bounds_and_a_record_replays(
    seed: int, preset: str, size: int, rounds: int
) -> None:
    options = {"preset": preset, "size": size, "rounds": rounds}
    played = playthrough(protocol, mixed_answer, seats=4, seed=seed, options=options, after_turn=Watch())
    assert played.result is not None
    assert len(played.turns) == 4 * rounds
    assert not any(turn.chance for turn in played.turns)
    replay(played)


@settings(max_examples=20, deadline=None)
@given(rows=small_maps(), seed=st.integers(0, 2**40))
def test_they_do_so_in_a_crowd(rows: list[str], seed: int) -> None:
    played = playthrough(
        protocol, mixed_answer, seats=4, seed=seed, options={"rounds": 25}, setup={"map": rows}, after_turn=Watch()
    )
    replay(played)


@settings(max_examples=75, deadline=None)
@given(data=st.data(), preset=st.sampled_from(["contest", "contest", "vindinium"]), seed=st.integers(0, 2**40))
def test_the_rules_written_twice_agree_ply_by_ply(data: st.DataObject, preset: str, seed: int) -> None:
    rows = data.draw(small_maps(spikes=preset == "contest"))
    game = protocol.start(4, {"preset": preset, "rounds": 30}, {"map": rows}, Chance(0))
    oracle, rng = Oracle(rows, preset), random.Random(seed)
    while game.result() is None:
        seat = game.to_move()[0]
        before = sent(game, seat)
        move = DISCONNECT if rng.random() < 0.01 else pick(WORDS, rng)
        game.play({seat: move})
        if move == DISCONNECT:
            before["heroes"][seat]["crashed"] = True
        expected = oracle.after(before, "Stay" if move == DISCONNECT else move)
        while expected["heroes"][expected["turn"] % 4]["crashed"] and not expected["finished"]:
            expected = oracle.after(expected, "Stay")
        assert sent(game, seat) == expected


def sent(game: Game, seat: int) -> dict[str, Any]:
    state: dict[str, Any] = json.loads(game.prompt(seat))["game"]
    return state


def test_a_record_with_disconnections_replays() -> None:
    game = new_game(4, rounds=20, map="m1")
    rng = random.Random(4)
    moves: list[dict[int, str]] = []
    while game.result() is None:
        seat = game.to_move()[0]
        move = DISCONNECT if len(moves) in (10, 31) else lively_answer(game, seat, rng)
        moves.append({seat: move})
        game.play(moves[-1])
    again = new_game(4, rounds=20, map="m1")
    for turn in moves:
        assert again.to_move() == tuple(turn)
        again.play(turn)
    assert len(moves) < 80
    assert again.view() == game.view()
    assert again.result() == game.result()
