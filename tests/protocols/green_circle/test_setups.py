"""Given setups and given card orders."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiter.game import BadSetup, Chance
from arbiter.testing import defaults
from protocols.green_circle import protocol
from tests.protocols.green_circle.positions import B, D, game_of, play, setup_of, team

GOOD: dict[str, Any] = setup_of(2)
SMALL, BIG = list(range(6)), list(range(6, 12))


def start(setup: Any, level: int = 2) -> None:
    protocol.start(2, defaults(protocol, {"level": level}), setup, Chance(0))


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_a_made_setup_starts_and_is_plain_data(level: int) -> None:
    for seed in range(20):
        setup = protocol.setup(2, defaults(protocol, {"level": level}), Chance(seed, "setup"))
        assert json.loads(json.dumps(setup)) == setup
        start(setup, level)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"applications": None}, "applications must be an object"),
        ({"applications": {"small": SMALL}}, "applications must be an object"),
        ({"applications": {"small": SMALL, "big": BIG, "huge": []}}, "applications must be an object"),
        ({"applications": {"small": 5, "big": BIG}}, "applications small must be a list"),
        ({"applications": {"small": SMALL[1:], "big": BIG}}, "level 2 must have 6 small applications, not 5"),
        ({"applications": {"small": SMALL, "big": [*BIG, 20]}}, "level 2 must have 6 big applications, not 7"),
        ({"applications": {"small": [0, 0, 1, 2, 3, 4], "big": BIG}}, "application 0 is listed twice"),
        ({"applications": {"small": SMALL, "big": [5, 6, 7, 8, 9, 10]}}, "application 5 is listed twice"),
        ({"applications": {"small": SMALL, "big": [28, 6, 7, 8, 9, 10]}}, "0 to 27, not 28"),
        ({"applications": {"small": SMALL, "big": [-1, 6, 7, 8, 9, 10]}}, "0 to 27, not -1"),
        ({"applications": {"small": SMALL, "big": ["6", 7, 8, 9, 10, 11]}}, "0 to 27, not '6'"),
        ({"applications": {"small": SMALL, "big": [6.0, 7, 8, 9, 10, 11]}}, "0 to 27, not 6.0"),
        ({"applications": {"small": [True, 0, 2, 3, 4, 5], "big": BIG}}, "0 to 27, not True"),
        ({"piles": None}, "piles must be a list with one entry"),
        ({"piles": [GOOD["piles"][0]]}, "piles must be a list with one entry"),
        ({"piles": [GOOD["piles"][0], "89898989"]}, "the pile of seat 1 must be a list"),
        ({"piles": [GOOD["piles"][0], [B] * 5 + [D] * 3]}, "the pile of seat 1 must hold 8 and 9 four times each"),
        ({"piles": [[B, D, B, D], GOOD["piles"][0]]}, "the pile of seat 0 must hold 8 and 9 four times each"),
        ({"piles": [[0] * 8, GOOD["piles"][0]]}, "the pile of seat 0 must hold 8 and 9 four times each"),
        ({"piles": [[10] * 8, GOOD["piles"][0]]}, "0 to 9, not 10"),
        ({"piles": [[B] * 4 + [D] * 4, GOOD["piles"][0]]}, "first hand of seat 0 may not be four BONUS"),
        ({"piles": [GOOD["piles"][0], [D] * 4 + [B] * 4]}, "first hand of seat 1 may not be four TECHNICAL_DEBT"),
        ({"draws": None}, "draws must be a list with one entry"),
        ({"draws": [[]]}, "draws must be a list with one entry"),
        ({"draws": [[], 3]}, "the draws of seat 1 must be a list"),
        ({"draws": [[[1, 2], 3], []]}, "order 2 of the draws of seat 0 must be a list"),
        ({"draws": [[], [[1, "x"]]]}, "0 to 9, not 'x'"),
        ({"draws": [[], [[1] * 6]]}, "order 1 of the draws of seat 1 has 6 CODING cards, only 5 exist"),
        ({"decks": []}, "unknown entry 'decks' in the setup"),
    ],
)
def test_an_invalid_setup_is_refused_in_one_line(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadSetup, match=reason) as caught:
        start({**GOOD, **change})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("setup", [None, [], "setup", 7, {}])
def test_something_else_than_a_setup_is_refused(setup: Any) -> None:
    with pytest.raises(BadSetup):
        start(setup)


def test_a_setup_of_another_level_is_refused() -> None:
    with pytest.raises(BadSetup, match="level 3 must have 0 small applications, not 6"):
        start(GOOD, level=3)


# ---- given orders


def turn_of_seat_0(game: Any, desk: int) -> None:
    """Move with seat 0, then pass until it is to move again."""
    play(game, f"MOVE {desk}")
    while game.view()["seat"] == 0 or game.view()["phase"] != "MOVE":
        play(game, "WAIT")
    play(game, f"MOVE {(desk + 4) % 8}")
    while game.view()["seat"] == 1:
        play(game, "WAIT")


def test_given_orders_are_used_for_the_reshuffles_in_turn() -> None:
    first = [B, D, 0, D, D, B, B, D, B, 1]
    second = [2, 0, D, D, B, D, B, 3, B, D]
    game = game_of(1, draws=[[first, second], []])
    drawn = []
    for desk in (0, 1, 2, 3, 4, 5):
        turn_of_seat_0(game, desk)
        drawn.append(team(game, 0)["hand"])
    assert drawn == [[B, D, B, D], first[:4], first[4:8], [*first[8:], *second[:2]], second[2:6], second[6:10]]


def test_a_full_order_takes_nothing_from_chance() -> None:
    mine = {"hand": [D, 2], "draw": [], "discard": [3, 4, 5]}
    game = game_of(1, mine=mine, stock={5: 0, B: 0}, draws=[[[5, 4, 3, D, 2]], []])
    play(game, "MOVE 5")
    assert team(game, 0)["hand"] == [5, 4, 3, D]
    assert team(game, 0)["draw"] == [2]
    assert game._office.chance.take() == []


def test_a_short_order_leaves_the_cards_beneath_to_chance() -> None:
    seen = set()
    for seed in range(40):
        mine = {"hand": [D, 2], "draw": [], "discard": [3, 4, 5]}
        game = game_of(1, mine=mine, stock={5: 0, B: 0}, draws=[[[5, 2]], []], seed=seed)
        play(game, "MOVE 5")
        after = team(game, 0)
        assert after["hand"][:2] == [5, 2]
        seen.add(tuple(after["hand"][2:] + after["draw"]))
    assert len(seen) == 6


def test_an_empty_order_leaves_one_reshuffle_to_chance() -> None:
    mine = {"hand": [D, 2], "draw": [], "discard": [3, 4, 5]}
    game = game_of(1, mine=mine, stock={5: 0, B: 0}, draws=[[[], [1]], []])
    play(game, "MOVE 5")
    assert len(game._office.chance.take()) == 4


def test_an_order_that_does_not_fit_is_said_to_and_chance_decides() -> None:
    mine = {"hand": [D, 2], "draw": [], "discard": [3, 4, 5]}
    game = game_of(1, mine=mine, stock={5: 0, B: 0}, draws=[[[5, 5]], []])
    play(game, "MOVE 5")
    assert "the order given for seat 0 does not fit its discard pile: chance decides" in game.display().events()
    assert len(game._office.chance.take()) == 4
    assert sorted(team(game, 0)["hand"] + team(game, 0)["draw"]) == [2, 3, 4, 5, D]


def test_each_seat_has_its_own_orders() -> None:
    stuck = {"hand": [D, 2], "draw": [], "discard": [3, 4, 5]}
    draws = [[[2, 3, 4, 5, D]], [[D, 5, 4, 3, 2]]]
    game = game_of(1, mine=stuck, theirs=stuck, stock={5: 0, 4: 0, B: 0}, draws=draws)
    play(game, "MOVE 5", "MOVE 4")
    assert team(game, 0)["hand"] == [2, 3, 4, 5]
    assert team(game, 1)["hand"] == [D, 5, 4, 3]
