"""Nobles."""

from __future__ import annotations

import pytest

from .table import hand, new_game, on_board, own_bonuses, show, turn


def test_a_noble_comes_with_the_purchase_that_meets_its_needs() -> None:
    game = new_game()
    on_board(game, 5, 1, 3)
    own_bonuses(game, 0, 4, 3)
    show(game, 2)
    game.position.players[0].points = 7
    turn(game, "4 2")
    assert game.position.players[0].nobles == [1]
    assert game.position.nobles == [5, 3]
    assert game.position.players[0].points == 10


@pytest.mark.parametrize("answer", ["1 0", "1 1 2", "2 2", "3 -1"])
def test_a_noble_is_checked_after_every_executed_action(answer: str) -> None:
    game = new_game()
    on_board(game, 1)
    own_bonuses(game, 0, 4, 4)
    turn(game, answer)
    assert game.position.players[0].nobles == [1]


def test_a_forced_pass_brings_no_noble() -> None:
    game = new_game()
    on_board(game, 1)
    own_bonuses(game, 0, 4, 4)
    game.play({0: "pass"})
    assert game.position.players[0].nobles == []
    assert game.position.nobles == [1]


def test_the_first_noble_in_board_order_comes_and_at_most_one_a_turn() -> None:
    game = new_game(1)
    on_board(game, 6, 4, 1, 8)
    own_bonuses(game, 0, 4, 4, 3)
    turn(game, "1 0")
    assert game.position.players[0].nobles == [6]
    turn(game, "1 0")
    assert game.position.players[0].nobles == [6, 1]
    assert game.position.nobles == [4, 8]


def test_chips_and_gold_do_not_impress_a_noble() -> None:
    game = new_game(4)
    on_board(game, 1)
    own_bonuses(game, 0, 4, 3)
    hand(game, 0, 0, 4, 0, 0, 0, 5)
    turn(game, "1 0")
    assert game.position.players[0].nobles == []


def test_reserved_cards_do_not_impress_a_noble() -> None:
    game = new_game()
    on_board(game, 1)
    own_bonuses(game, 0, 4, 3)
    show(game, 42)
    turn(game, "3 42")
    assert game.position.players[0].nobles == []


def test_more_than_the_needs_will_do() -> None:
    game = new_game()
    on_board(game, 1)
    own_bonuses(game, 0, 5, 6, 1)
    turn(game, "1 0")
    assert game.position.players[0].nobles == [1]


def test_a_noble_is_not_replaced() -> None:
    game = new_game()
    on_board(game, 1)
    own_bonuses(game, 0, 4, 4)
    turn(game, "1 0")
    assert game.prompt(1).splitlines()[6] == "0"
    assert game.prompt(1).splitlines()[10] == "1 1"


def test_only_the_seat_that_moved_is_visited() -> None:
    game = new_game()
    on_board(game, 1)
    own_bonuses(game, 1, 4, 4)
    turn(game, "1 0")
    assert game.position.nobles == [1]
    turn(game, "1 0")
    assert game.position.players[1].nobles == [1]
