"""Moves and events in words."""

from __future__ import annotations

from .table import drain, empty_deck, hand, new_game, on_board, own_bonuses, show, turn


def test_taking_chips() -> None:
    game = new_game()
    assert game.display().describe(0, "1 3 0 1 2") == "takes red, green, blue"
    assert game.display().describe(0, "1 0") == "takes nothing"
    assert game.display().describe(0, "2 4") == "takes 2 black"


def test_returning_chips() -> None:
    game = new_game(4)
    hand(game, 0, 3, 3, 3, 0, 0, 1)
    assert game.display().describe(0, "1 3 0 1 3 2 5 2") == "takes red, green, white, returns 2 blue, gold"


def test_reserving() -> None:
    game = new_game()
    show(game, 55)
    show(game, 11)
    assert game.display().describe(0, "3 55") == "reserves card 55 (level 2, black, 2 points) and takes a gold"
    assert game.display().describe(0, "3 11") == "reserves card 11 (level 1, red, 1 point) and takes a gold"
    assert game.display().describe(0, "3 -3") == "reserves the top card of the level 3 deck and takes a gold"
    drain(game, 5)
    assert game.display().describe(0, "3 -1") == "reserves the top card of the level 1 deck; no gold is left"


def test_buying() -> None:
    game = new_game()
    show(game, 17)
    hand(game, 0, 2, 0, 1, 0, 0, 1)
    assert game.display().describe(0, "4 17") == "buys card 17 (green, 0 points) for 2 red, 1 blue, 1 gold"
    own_bonuses(game, 0, 2, 0, 2)
    assert game.display().describe(0, "4 17") == "buys card 17 (green, 0 points) for nothing"
    turn(game, "3 17")
    assert game.display().describe(0, "4 17") == "buys card 17 (green, 0 points) from the reserve for nothing"


def test_passing() -> None:
    assert new_game().display().describe(1, "pass") == "passes"


def test_a_visit_is_an_event() -> None:
    game = new_game()
    on_board(game, 3)
    own_bonuses(game, 0, 0, 0, 4, 4)
    assert game.display().events() == []
    turn(game, "1 0")
    assert game.display().events() == ["Noble 3 visits seat 0"]
    turn(game, "1 0")
    assert game.display().events() == []


def test_the_last_round_is_announced_once() -> None:
    game = new_game(3)
    on_board(game, 3, 4)
    own_bonuses(game, 0, 0, 0, 4, 4)
    game.position.players[0].points = 12
    own_bonuses(game, 1, 0, 0, 0, 4, 4)
    game.position.players[1].points = 13
    turn(game, "1 0")
    assert game.display().events() == ["Noble 3 visits seat 0", "Seat 0 has 15 points: round 1 is the last round"]
    turn(game, "1 0")
    assert game.display().events() == ["Noble 4 visits seat 1"]


def test_the_round_before_the_cap_announces_the_last_one() -> None:
    game = new_game(1, max_rounds=3)
    events = []
    while game.result() is None:
        turn(game, "1 0")
        events.append(list(game.display().events()))
    assert events == [[], ["Round 3 is the last round, whatever the points"], []]


def test_a_deck_running_out_is_an_event() -> None:
    game = new_game()
    empty_deck(game, 2, left=1)
    turn(game, "3 -2")
    assert game.display().events() == ["The level 2 deck is empty"]
