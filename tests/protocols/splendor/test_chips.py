"""Actions 1 and 2, and hands of more than ten chips."""

from __future__ import annotations

import pytest

from .table import accepted, drain, garbled, hand, new_game, refused, show, turn

Chips = tuple[int, int, int, int, int, int]

NONE: Chips = (0, 0, 0, 0, 0, 0)
TEN: Chips = (4, 3, 3, 0, 0, 0)
GOLDEN: Chips = (2, 3, 0, 0, 0, 5)

TAKEN: dict[str, tuple[Chips, str, Chips]] = {
    "three different": (NONE, "1 3 0 2 4", (1, 0, 1, 0, 1, 0)),
    "in any order": (NONE, "1 3 4 0 2", (1, 0, 1, 0, 1, 0)),
    "two": (NONE, "1 2 1 3", (0, 1, 0, 1, 0, 0)),
    "one, though three could be had": (NONE, "1 1 4", (0, 0, 0, 0, 1, 0)),
    "none": (NONE, "1 0", NONE),
    "two of a colour": (NONE, "2 3", (0, 0, 0, 2, 0, 0)),
    "up to ten": ((2, 2, 2, 1, 0, 0), "1 3 0 1 4", (3, 3, 2, 1, 1, 0)),
    "none with ten": (TEN, "1 0", TEN),
    "those above ten are returned": ((3, 3, 3, 0, 0, 0), "1 3 0 3 4 1 1", (4, 1, 3, 1, 1, 0)),
    "after two of a colour": ((3, 3, 3, 1, 0, 0), "2 4 0 3", (2, 3, 3, 0, 2, 0)),
    "after a reservation": ((3, 3, 3, 1, 0, 0), "3 -1 3", (3, 3, 3, 0, 0, 1)),
    "one just taken": (TEN, "1 3 0 3 4 3 4 0", TEN),
    "both of two just taken": ((0, 0, 0, 5, 5, 0), "2 2 2 2", (0, 0, 0, 5, 5, 0)),
    "gold counts toward the ten": (GOLDEN, "1 1 3 3", GOLDEN),
    "gold may be returned": (GOLDEN, "1 2 3 4 5 5", (2, 3, 0, 1, 1, 3)),
    "gold just received": (TEN, "3 -1 5", TEN),
}
FULL: Chips = (3, 3, 3, 0, 0, 1)
SEVEN: Chips = (3, 3, 1, 0, 0, 0)
REFUSED: list[tuple[Chips, str, str]] = [
    *((NONE, f"1 {count} 0 1 2 3 4", f"takes 0 to 3 chips, not '{count}'") for count in (-1, 4, 5)),
    (NONE, "1 3 0 2 0", "'0' (red) is named twice"),
    *((NONE, answer, "unknown colour") for answer in ("1 1 6", "1 3 0 1 -1", "2 6", "2 -1")),
    *((NONE, answer, "gold ('5') cannot be taken") for answer in ("1 1 5", "1 3 0 1 5", "2 5")),
    *((FULL, answer, "must be returned, not") for answer in ("1 3 0 3 4", "1 3 0 3 4 1", "2 3", "3 -1")),
    *((FULL, answer, "must be returned, not") for answer in ("1 3 0 3 4 1 1 1 1", "2 3 0 0 0", "3 -1 0 1")),
    *((SEVEN, answer, "no chip may be returned") for answer in ("1 3 0 3 4 1", "2 3 0", "3 -1 0", "1 0 0")),
    (TEN, "1 1 3 4", "colour '4' (black) are returned than the 0 held"),
    (TEN, "1 2 3 4 4 4", "colour '4' (black) are returned than the 1 held"),
    (TEN, "1 1 3 5", "(gold) are returned than the 0 held"),
    *((TEN, f"1 1 3 {colour}", f"unknown colour '{colour}'") for colour in (-1, 6, 90)),
    (TEN, "3 -1", "exactly 1 must be returned, not '0'"),
    (GOLDEN, "1 1 3", "11 chips in hand"),
]


@pytest.mark.parametrize("case", TAKEN)
def test_chips_move_between_hand_and_bank(case: str) -> None:
    before, answer, after = TAKEN[case]
    game = new_game(4)
    hand(game, 0, *before)
    turn(game, answer)
    assert game.position.players[0].chips == list(after)
    assert game.position.bank == [whole - mine for whole, mine in zip((7, 7, 7, 7, 7, 5), after, strict=True)]


@pytest.mark.parametrize(("before", "answer", "why"), REFUSED)
def test_other_chips_are_refused(before: Chips, answer: str, why: str) -> None:
    game = new_game(4)
    hand(game, 0, *before)
    refused(game, 0, answer, why)


def test_each_pile_must_hold_a_chip() -> None:
    game = new_game()
    drain(game, 2)
    refused(game, 0, "1 3 1 2 3", "no chip of colour '2' (blue)")
    drain(game, 1, left=1)
    assert accepted(game, 0, "1 1 1") == "1 1 1"


def test_announcing_more_chips_than_are_named_is_garbled() -> None:
    garbled(new_game(), 0, "1 3 0 1", "announces '3' chips but names 2")


@pytest.mark.parametrize("left", [0, 3])
def test_two_of_a_colour_need_a_pile_of_four_before_taking(left: int) -> None:
    game = new_game()
    drain(game, 3, left=left)
    refused(game, 0, "2 3", f"(white) has {left}")


def test_two_of_a_colour_may_leave_two() -> None:
    game = new_game(3)
    drain(game, 3, left=4)
    turn(game, "2 3")
    assert game.position.bank[3] == 2


def test_gold_may_not_be_returned_where_the_option_forbids_it() -> None:
    game = new_game(4, return_gold=False)
    hand(game, 0, *GOLDEN)
    refused(game, 0, "1 2 3 4 5 5", "gold ('5') may not be returned")
    assert accepted(game, 0, "1 2 3 4 0 0") == "1 2 3 4 0 0"


def test_with_ten_chips_and_no_gold_in_the_bank_a_return_is_illegal() -> None:
    game = new_game(4)
    hand(game, 0, *TEN)
    drain(game, 5)
    show(game, 55)
    refused(game, 0, "3 55 0", "no chip may be returned")
    turn(game, "3 55")
    assert game.position.players[0].chips == list(TEN)
