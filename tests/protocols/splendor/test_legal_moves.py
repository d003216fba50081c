"""The list of legal moves."""

from __future__ import annotations

import random
from itertools import product

import pytest

from arbiter.game import IllegalMove
from protocols.splendor.game import SplendorGame
from protocols.splendor.legal_moves import legal_moves

from .fuzz import in_ascending_order
from .table import drain, hand, new_game, random_answer, turn


def after(turns: int, seats: int, seed: int, return_gold: bool) -> SplendorGame:
    """Return a position of a random game."""
    rng = random.Random(seed)
    game = new_game(seats, seed, return_gold=return_gold)
    for _ in range(turns):
        if game.result() is None:
            seat = game.to_move()[0]
            turn(game, random_answer(game, seat, rng))
    return game


def is_read(game: SplendorGame, seat: int, answer: str) -> bool:
    try:
        game.read(seat, answer)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_answer_of_up_to_four_numbers_that_is_accepted_is_listed(seed: int) -> None:
    game = after(25, 2, seed, True)
    hand(game, 0, 2, 2, 2, 0, 0, 3)
    moves = set(legal_moves(game, 0))
    small = [str(number) for number in range(-1, 7)]
    cards = [str(number) for number in range(-4, 92)]
    answers = [[kind, card, *rest] for kind in "34" for card in cards for rest in ([], ["0"], ["5"])]
    answers += [["1", *rest] for size in range(4) for rest in product(small, repeat=size)]
    answers += [["2", *rest] for size in range(4) for rest in product(small, repeat=size)]
    accepted = {" ".join(answer) for answer in answers if is_read(game, 0, " ".join(answer))}
    assert {in_ascending_order(answer) for answer in accepted} == {
        move for move in moves if " ".join(move.split()[:4]) == move
    }


def test_the_opening_of_two_has_so_many_moves() -> None:
    kinds = [move[0] for move in legal_moves(new_game(2), 0)]
    assert {kind: kinds.count(kind) for kind in "1234"} == {"1": 1 + 5 + 10 + 10, "2": 5, "3": 12 + 3, "4": 0}


def test_every_return_is_listed() -> None:
    game = new_game(4)
    hand(game, 0, 4, 4, 1, 0, 0, 1)
    pairs = [move for move in legal_moves(game, 0) if move.startswith("2 3 ")]
    assert pairs == [
        f"2 3 {first} {second}"
        for first in range(6)
        for second in range(first, 6)
        if 4 not in (first, second) and (first, second) not in ((2, 2), (5, 5))
    ]


def test_without_any_chip_to_take_nothing_can_still_be_taken() -> None:
    game = new_game(2)
    for colour in range(6):
        drain(game, colour)
    game.position.players[0].reserve[:] = [1, 2, 3]
    assert legal_moves(game, 0) == ["1 0"]
