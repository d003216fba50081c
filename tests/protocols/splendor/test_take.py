"""Actions 1 and 2: taking chips."""

from __future__ import annotations

import pytest

from .table import accepted, drain, garbled, hand, new_game, refused, turn


@pytest.mark.parametrize("answer", ["1 3 0 2 4", "1 2 1 3", "1 1 4", "1 0"])
def test_none_to_three_different_chips_may_be_taken(answer: str) -> None:
    game = new_game()
    turn(game, answer)
    taken = [int(word) for word in answer.split()[2:]]
    assert game.position.players[0].chips == [int(colour in taken) for colour in range(5)] + [0]
    assert game.position.bank == [4 - (colour in taken) for colour in range(5)] + [5]


def test_fewer_than_three_is_allowed_even_where_three_could_be_had() -> None:
    assert accepted(new_game(), 0, "1 1 2") == "1 1 2"


def test_the_colours_may_come_in_any_order() -> None:
    assert accepted(new_game(), 0, "1 3 4 0 2") == "1 3 4 0 2"


@pytest.mark.parametrize("count", [-1, 4, 5])
def test_a_count_outside_none_to_three_is_illegal(count: int) -> None:
    refused(new_game(), 0, f"1 {count} 0 1 2 3 4", f"takes 0 to 3 chips, not '{count}'")


def test_the_same_colour_twice_is_illegal() -> None:
    refused(new_game(), 0, "1 3 0 2 0", "'0' (red) is named twice")


@pytest.mark.parametrize("answer", ["1 1 6", "1 3 0 1 -1", "2 6", "2 -1"])
def test_a_colour_that_does_not_exist_is_illegal(answer: str) -> None:
    refused(new_game(), 0, answer, "unknown colour")


@pytest.mark.parametrize("answer", ["1 1 5", "1 3 0 1 5", "2 5"])
def test_gold_in_action_one_or_two_is_illegal(answer: str) -> None:
    refused(new_game(), 0, answer, "gold ('5') cannot be taken")


def test_each_pile_must_hold_a_chip() -> None:
    game = new_game()
    drain(game, 2)
    refused(game, 0, "1 3 1 2 3", "no chip of colour '2' (blue)")
    drain(game, 1, left=1)
    assert accepted(game, 0, "1 1 1") == "1 1 1"


def test_announcing_more_chips_than_are_named_is_garbled() -> None:
    garbled(new_game(), 0, "1 3 0 1", "announces '3' chips but names 2")


def test_two_of_a_colour() -> None:
    game = new_game()
    turn(game, "2 3")
    assert game.position.players[0].chips == [0, 0, 0, 2, 0, 0]
    assert game.position.bank == [4, 4, 4, 2, 4, 5]


@pytest.mark.parametrize("left", [0, 3])
def test_two_of_a_colour_need_a_pile_of_four_before_taking(left: int) -> None:
    game = new_game()
    drain(game, 3, left=left)
    refused(game, 0, "2 3", f"(white) has {left}")


@pytest.mark.parametrize("seats", [3, 4])
def test_two_of_a_colour_may_leave_two_or_more(seats: int) -> None:
    game = new_game(seats)
    drain(game, 3, left=4)
    turn(game, "2 3")
    assert game.position.bank[3] == 2


def test_taking_up_to_ten_chips_needs_no_return() -> None:
    game = new_game()
    hand(game, 0, 2, 2, 2, 1, 0, 0)
    assert accepted(game, 0, "1 3 0 1 4") == "1 3 0 1 4"
