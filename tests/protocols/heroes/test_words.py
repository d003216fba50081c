"""Moves and events in words."""

from __future__ import annotations

import pytest

from protocols.heroes.rules import DISCONNECT

from .table import arena, ply

PLACE = """
    +----------+
    |##@1$1  @4|
    |  ^^      |
    |[]@2$-    |
    |  @3$1    |
    |          |
    +----------+
    """


@pytest.mark.parametrize(
    ("number", "move", "words"),
    [
        (1, "Stay", "stays"),
        (1, DISCONNECT, "gives no answer and stays for the rest of the game"),
        (1, "North", "goes north against the edge"),
        (1, "West", "goes west against wood"),
        (1, "East", "goes east to its own mine"),
        (1, "South", "goes south onto spikes"),
        (2, "East", "goes east to a free mine"),
        (2, "South", "goes south against hero 3"),
        (2, "West", "goes west to a tavern, without the gold"),
        (3, "East", "goes east to a mine of hero 1"),
        (3, "West", "goes west"),
    ],
)
def test_a_move_says_where_it_leads(number: int, move: str, words: str) -> None:
    assert arena(PLACE).display().describe(number - 1, move) == words


def test_a_drink_that_can_be_paid() -> None:
    assert arena(PLACE, gold={2: 1}).display().describe(1, "West") == "goes west for a drink"


def test_describing_a_move_promises_no_outcome() -> None:
    """Deaths, kills and captures can each be found by one word, once per event."""
    game = arena(PLACE, life={1: 1, 2: 1, 3: 1}, gold={2: 1})
    for number in (1, 2, 3, 4):
        for move in ("North", "East", "South", "West", "Stay", DISCONNECT):
            assert not {"dies", "kills", "captures", "drinks"} & set(game.display().describe(number - 1, move).split())


def test_events_are_those_of_the_last_ply() -> None:
    game = arena(PLACE, mover=2)
    assert game.display().events() == []
    assert ply(game, "East") == ["hero 2 captures a mine", "hero 2 hits hero 3, life 75"]
    assert ply(game, "West") == []


def test_numbers_of_mines_are_mentioned_where_there_are_any() -> None:
    assert ply(arena(PLACE, mover=3, life={3: 1}), "East") == ["hero 3 dies at a mine"]
    assert ply(arena(PLACE, mover=1, life={1: 1}), "South") == ["hero 1 dies on spikes and loses 2 mines"]
    assert ply(arena(PLACE, mover=3, life={2: 1}), "Stay") == ["hero 3 kills hero 2"]
    one, two = PLACE.replace("$-", "$2"), PLACE.replace("$1", "$2")
    assert ply(arena(one, mover=3, life={2: 1}), "Stay") == ["hero 3 kills hero 2 and takes 1 mine"]
    assert ply(arena(two, mover=3, life={2: 1}), "Stay") == ["hero 3 kills hero 2 and takes 2 mines"]


def test_a_disconnection_is_an_event() -> None:
    assert ply(arena(PLACE, mover=4), DISCONNECT) == ["hero 4 is disconnected"]
