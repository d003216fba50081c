"""Whole games with valid and faulty answers: the contract holds, scores can be recomputed, records replay."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.game import Game, Json
from arbiter.testing import playthrough, replay
from protocols.rails import protocol

from . import plain
from .table import any_answer, cells, drawn, new_map, result_of, ruling, scores, start

pytestmark = pytest.mark.slow

SMALL = drawn(
    "A..1..B\n...1..3\n.2.D...\n.2....1\n3..C...", {0: [1, 2], 1: [2], 2: [3], 3: [0, 1]},
    ["0 0 1 1 2 3 3", "0 4 4 5 2 2 3", "6 6 4 7 8 8 9", "6 10 10 11 11 8 9", "12 12 10 13 11 14 14"],
)  # fmt: skip


class Bookkeeper:
    """Recomputes a game from what agents read, turn by turn."""

    def __init__(self, setup: Json) -> None:
        self.setup = setup
        self.points = (0, 0)
        self.quests = [0, 0]

    def check(self, game: Game) -> None:
        width = len(self.setup["terrain"][0])
        seen = {(number % width, number // width): cell for number, cell in enumerate(cells(game))}
        tracks = {spot: cell.owner for spot, cell in seen.items() if cell.owner >= 0}
        inked = {spot for spot, cell in seen.items() if cell.inked}
        self._check_points(game, tracks)
        self.quests = [done or int(plain.quest_done(self.setup, tracks, seat)) for seat, done in enumerate(self.quests)]
        assert game.view()["side_quest"] == self.quests
        self._check_connections(tracks, {spot: cell.connections for spot, cell in seen.items()})
        assert not inked & set(tracks)
        assert not set(plain.town_spots(self.setup)) & (set(tracks) | inked)
        assert len(seen) == width * len(self.setup["terrain"])
        regions = [int(word) for row in self.setup["regions"] for word in row.split()]
        assert len({(region, c.instability, c.inked) for region, c in zip(regions, seen.values(), strict=True)}) == len(
            set(regions)
        )
        if game.result() is None:
            assert plain.possible(self.setup, inked)
        elif "no wish" in result_of(game).reason:
            assert not plain.possible(self.setup, inked)

    def _check_points(self, game: Game, tracks: dict[plain.Spot, int]) -> None:
        if game.view()["turn"]:
            gained = plain.gains(self.setup, tracks)
            self.points = (self.points[0] + gained[0], self.points[1] + gained[1])
        assert scores(game) == self.points

    def _check_connections(self, tracks: dict[plain.Spot, int], shown: dict[plain.Spot, str]) -> None:
        paths = plain.connections(self.setup, tracks)
        for spot, text in shown.items():
            assert text == (",".join(sorted(name for name, path in paths.items() if spot in path)) or "x")


@settings(max_examples=30, deadline=None)  # each is a whole game, checked in every turn
@given(seed=st.integers(0, 10**6), bad=st.sampled_from([0.0, 0.02]), threshold=st.integers(1, 4))
def test_the_running_score_is_that_from_scratch_on_a_small_map(seed: int, bad: float, threshold: int) -> None:
    played = playthrough(
        protocol,
        lambda _, __, rng: any_answer(SMALL, rng, bad),
        seats=2,
        seed=seed,
        options={"ink_threshold": threshold, "turns": 40},
        setup=SMALL,
        after_turn=Bookkeeper(SMALL).check,
    )
    assert played.result is not None
    replay(played)


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_running_score_is_that_from_scratch_on_a_new_map(seed: int) -> None:
    setup = new_map(seed)
    book = Bookkeeper(setup)
    game = start(setup, turns=30)
    rng = random.Random(seed)
    while game.result() is None:
        book.check(game)
        game.play({seat: ruling(game, seat, any_answer(setup, rng)) for seat in game.to_move()})
    book.check(game)


def test_both_seats_are_asked_at_once() -> None:
    assert tuple(start(SMALL).to_move()) == (0, 1)
