"""Hands of more than ten chips."""

from __future__ import annotations

import pytest

from .table import accepted, drain, hand, new_game, refused, show, turn


def test_exactly_the_chips_above_ten_are_returned() -> None:
    game = new_game(4)
    hand(game, 0, 3, 3, 3, 0, 0, 0)
    turn(game, "1 3 0 3 4 1 1")
    assert game.position.players[0].chips == [4, 1, 3, 1, 1, 0]
    assert game.position.bank == [3, 6, 4, 6, 6, 5]


def test_a_return_after_two_of_a_colour() -> None:
    game = new_game(4)
    hand(game, 0, 3, 3, 3, 1, 0, 0)
    turn(game, "2 4 0 3")
    assert game.position.players[0].chips == [2, 3, 3, 0, 2, 0]


def test_a_return_after_a_reservation() -> None:
    game = new_game(4)
    hand(game, 0, 3, 3, 3, 1, 0, 0)
    turn(game, "3 -1 3")
    assert game.position.players[0].chips == [3, 3, 3, 0, 0, 1]
    assert game.position.bank == [4, 4, 4, 7, 7, 4]


@pytest.mark.parametrize("answer", ["1 3 0 3 4", "1 3 0 3 4 1", "2 3", "3 -1"])
def test_too_few_returned_is_illegal(answer: str) -> None:
    game = new_game(4)
    hand(game, 0, 3, 3, 3, 0, 0, 1)
    refused(game, 0, answer, "must be returned, not")


@pytest.mark.parametrize("answer", ["1 3 0 3 4 1 1 1 1", "2 3 0 0 0", "3 -1 0 1"])
def test_too_many_returned_is_illegal(answer: str) -> None:
    game = new_game(4)
    hand(game, 0, 3, 3, 3, 0, 0, 1)
    refused(game, 0, answer, "must be returned, not")


@pytest.mark.parametrize("answer", ["1 3 0 3 4 1", "2 3 0", "3 -1 0", "1 0 0"])
def test_an_unneeded_return_is_illegal(answer: str) -> None:
    game = new_game(4)
    hand(game, 0, 3, 3, 1, 0, 0, 0)
    refused(game, 0, answer, "no chip may be returned")


def test_a_chip_just_taken_may_be_returned() -> None:
    game = new_game(4)
    hand(game, 0, 4, 3, 3, 0, 0, 0)
    turn(game, "1 3 0 3 4 3 4 0")
    assert game.position.players[0].chips == [4, 3, 3, 0, 0, 0]
    hand(game, 1, 0, 0, 0, 5, 5, 0)
    turn(game, "2 2 2 2")
    assert game.position.players[1].chips == [0, 0, 0, 5, 5, 0]


def test_a_chip_not_held_may_not_be_returned() -> None:
    game = new_game(4)
    hand(game, 0, 4, 3, 3, 0, 0, 0)
    refused(game, 0, "1 1 3 4", "colour '4' (black) are returned than the 0 held")
    refused(game, 0, "1 2 3 4 4 4", "colour '4' (black) are returned than the 1 held")
    refused(game, 0, "1 1 3 5", "(gold) are returned than the 0 held")


@pytest.mark.parametrize("colour", [-1, 6, 90])
def test_a_colour_that_does_not_exist_cannot_be_returned(colour: int) -> None:
    game = new_game(4)
    hand(game, 0, 4, 3, 3, 0, 0, 0)
    refused(game, 0, f"1 1 3 {colour}", f"unknown colour '{colour}'")


def test_gold_counts_toward_the_ten() -> None:
    game = new_game(4)
    hand(game, 0, 2, 3, 0, 0, 0, 5)
    refused(game, 0, "1 1 3", "11 chips in hand")
    assert accepted(game, 0, "1 1 3 3") == "1 1 3 3"


def test_gold_may_be_returned_by_default() -> None:
    game = new_game(4)
    hand(game, 0, 2, 3, 0, 0, 0, 5)
    turn(game, "1 2 3 4 5 5")
    assert game.position.players[0].chips == [2, 3, 0, 1, 1, 3]
    assert game.position.bank[5] == 2


def test_gold_may_not_be_returned_where_the_option_forbids_it() -> None:
    game = new_game(4, return_gold=False)
    hand(game, 0, 2, 3, 0, 0, 0, 5)
    refused(game, 0, "1 2 3 4 5 5", "gold ('5') may not be returned")
    assert accepted(game, 0, "1 2 3 4 0 0") == "1 2 3 4 0 0"


def test_the_gold_just_received_may_be_returned() -> None:
    game = new_game(4)
    hand(game, 0, 4, 3, 3, 0, 0, 0)
    turn(game, "3 -1 5")
    assert game.position.players[0].chips == [4, 3, 3, 0, 0, 0]
    assert game.position.bank[5] == 5


def test_with_ten_chips_and_gold_in_the_bank_a_reservation_returns_one() -> None:
    game = new_game(4)
    hand(game, 0, 4, 3, 3, 0, 0, 0)
    show(game, 55)
    refused(game, 0, "3 55", "exactly 1 must be returned, not '0'")
    assert accepted(game, 0, "3 55 0") == "3 55 0"


def test_with_ten_chips_and_no_gold_in_the_bank_a_return_is_illegal() -> None:
    game = new_game(4)
    hand(game, 0, 4, 3, 3, 0, 0, 0)
    drain(game, 5)
    show(game, 55)
    refused(game, 0, "3 55 0", "no chip may be returned")
    turn(game, "3 55")
    assert game.position.players[0].chips == [4, 3, 3, 0, 0, 0]


def test_nothing_taken_nothing_returned() -> None:
    game = new_game(4)
    hand(game, 0, 4, 3, 3, 0, 0, 0)
    assert accepted(game, 0, "1 0") == "1 0"
