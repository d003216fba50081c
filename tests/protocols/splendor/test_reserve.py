"""Action 3: reserving a card."""

from __future__ import annotations

import pytest

from .table import drain, empty_deck, garbled, new_game, own, refused, show, turn


def test_a_face_up_card_goes_to_the_reserve_with_a_gold() -> None:
    game = new_game()
    show(game, 55)
    turn(game, "3 55")
    player = game.position.players[0]
    assert (player.reserve, player.secret, player.chips) == ([55], set(), [0, 0, 0, 0, 0, 1])
    assert game.position.bank[5] == 4


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_top_of_a_deck_is_reserved_by_minus_its_level(level: int) -> None:
    game = new_game()
    top, row = game.position.decks[level - 1][-1], list(game.position.rows[level - 1])
    turn(game, f"3 {-level}")
    player = game.position.players[0]
    assert (player.reserve, player.secret) == ([top], {top})
    assert game.position.rows[level - 1] == row


def test_a_deck_with_no_face_down_card_left_cannot_be_reserved_from() -> None:
    game = new_game()
    empty_deck(game, 2)
    refused(game, 0, "3 -2", "the level 2 deck is empty")


def test_the_last_face_down_card_can_be_reserved() -> None:
    game = new_game()
    empty_deck(game, 2, left=1)
    last = game.position.decks[1][0]
    turn(game, "3 -2")
    assert game.position.players[0].reserve == [last]
    assert game.position.decks[1] == []


@pytest.mark.parametrize("card", [0, -4, 91, 1000])
def test_a_card_that_does_not_exist_cannot_be_reserved(card: int) -> None:
    refused(new_game(), 0, f"3 {card}", f"'{card}' is neither a face-up card nor a deck")


def test_zero_is_no_card_even_where_a_slot_is_empty() -> None:
    game = new_game()
    empty_deck(game, 3)
    turn(game, f"3 {game.position.rows[2][0]}")
    assert 0 in game.position.rows[2]
    refused(game, 1, "3 0", "'0' is neither")


def test_a_card_in_a_deck_cannot_be_reserved_by_its_id() -> None:
    game = new_game()
    hidden = game.position.decks[0][-1]
    refused(game, 0, f"3 {hidden}", "neither a face-up card")


def test_a_bought_card_cannot_be_reserved() -> None:
    game = new_game()
    bought = game.position.decks[0][0]
    own(game, 0, bought)
    refused(game, 0, f"3 {bought}", "neither a face-up card")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_in_any_reserve_cannot_be_reserved(seat: int) -> None:
    game = new_game()
    show(game, 55)
    turn(game, "3 55")
    refused(game, seat, "3 55", "neither a face-up card")


def test_at_most_three_cards_are_reserved() -> None:
    game = new_game(1)
    for _ in range(3):
        turn(game, "3 -1")
    refused(game, 0, "3 -1", "the reserve already holds 3 cards")
    refused(game, 0, f"3 {game.position.rows[0][0]}", "the reserve already holds 3 cards")


def test_with_no_gold_in_the_bank_the_reservation_is_still_legal() -> None:
    game = new_game()
    drain(game, 5)
    turn(game, "3 -1")
    player = game.position.players[0]
    assert len(player.reserve) == 1
    assert player.chips == [0] * 6


def test_the_last_gold_is_handed_out() -> None:
    game = new_game()
    drain(game, 5, left=1)
    turn(game, "3 -1")
    assert game.position.bank[5] == 0
    assert game.position.players[0].chips[5] == 1


def test_a_reservation_without_a_card_is_garbled() -> None:
    garbled(new_game(), 0, "3", "must be followed by a card")
