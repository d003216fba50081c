"""Action 4: buying a card."""

from __future__ import annotations

from .table import drain, garbled, hand, new_game, own_bonuses, refused, show, turn


def test_a_face_up_card_is_bought_with_chips_that_go_back_to_the_bank() -> None:
    game = new_game()
    show(game, 17)
    hand(game, 0, 3, 0, 2, 0, 0, 1)
    turn(game, "4 17")
    player = game.position.players[0]
    assert (player.cards, player.bonuses, player.points) == ([17], [0, 1, 0, 0, 0], 0)
    assert player.chips == [1, 0, 0, 0, 0, 1]
    assert game.position.bank == [3, 4, 4, 4, 4, 4]


def test_bonuses_are_used_first_then_chips_then_gold() -> None:
    game = new_game()
    show(game, 90)
    own_bonuses(game, 0, 2, 0, 4, 0, 0)
    hand(game, 0, 3, 3, 0, 3, 0, 3)
    turn(game, "4 90")
    assert game.position.players[0].chips == [2, 0, 0, 0, 0, 1]
    assert game.position.bank == [2, 4, 4, 4, 4, 4]


def test_gold_is_never_spent_in_place_of_a_chip_that_is_there() -> None:
    game = new_game()
    show(game, 2)
    hand(game, 0, 3, 0, 0, 0, 0, 5)
    turn(game, "4 2")
    assert game.position.players[0].chips == [0, 0, 0, 0, 0, 5]


def test_gold_paid_goes_back_to_the_bank_at_once() -> None:
    game = new_game()
    show(game, 2)
    hand(game, 0, 0, 0, 0, 0, 0, 4)
    turn(game, "4 2")
    assert game.position.bank[5] == 4
    assert game.position.players[0].chips[5] == 1


def test_a_card_covered_by_bonuses_costs_nothing() -> None:
    game = new_game()
    show(game, 2)
    own_bonuses(game, 0, 4)
    hand(game, 0, 1, 0, 0, 0, 0, 1)
    turn(game, "4 2")
    assert game.position.players[0].chips == [1, 0, 0, 0, 0, 1]


def test_points_of_a_card_count() -> None:
    game = new_game(4)
    show(game, 75)
    hand(game, 0, 7, 0, 0, 0, 0, 0)
    turn(game, "4 75")
    assert game.position.players[0].points == 4


def test_a_card_that_cannot_be_paid_is_illegal() -> None:
    game = new_game()
    show(game, 17)
    hand(game, 0, 2, 4, 0, 0, 0, 1)
    refused(game, 0, "4 17", "card '17' cannot be paid for: short by 1, gold included")


def test_a_card_of_the_own_reserve_is_bought_and_leaves_it() -> None:
    game = new_game()
    show(game, 17)
    turn(game, "3 17")
    turn(game, "1 0")
    hand(game, 0, 2, 0, 1, 0, 0, 1)
    turn(game, "4 17")
    player = game.position.players[0]
    assert (player.cards, player.reserve, player.chips) == ([17], [], [0] * 6)


def test_a_card_reserved_blind_is_public_once_it_is_bought() -> None:
    game = new_game()
    top = game.position.decks[0][-1]
    turn(game, "3 -1")
    turn(game, "1 0")
    own_bonuses(game, 0, *[4] * 5)
    turn(game, f"4 {top}")
    player = game.position.players[0]
    assert player.secret == set()
    assert game.prompt(1).splitlines()[8].split()[-1] == str(top)
    assert game.prompt(1).splitlines()[9] == "0"


def test_a_card_of_another_reserve_cannot_be_bought() -> None:
    game = new_game()
    show(game, 17)
    turn(game, "3 17")
    hand(game, 1, 2, 0, 2, 0, 0, 0)
    refused(game, 1, "4 17", "neither a face-up card nor in the player's reserve")


def test_a_card_in_a_deck_bought_or_unknown_cannot_be_bought() -> None:
    game = new_game()
    own_bonuses(game, 0, *[5] * 5)
    for card in (game.position.decks[0][-1], game.position.players[0].cards[0], 0, -1, 91, 12345):
        refused(game, 0, f"4 {card}", f"'{card}' is neither a face-up card nor in the player's reserve")


def test_zero_cannot_be_bought_even_where_a_slot_is_empty() -> None:
    game = new_game()
    game.position.decks[2].clear()
    game.position.rows[2][0] = 0
    refused(game, 0, "4 0", "'0' is neither")


def test_nothing_may_follow_a_purchase() -> None:
    game = new_game()
    show(game, 2)
    hand(game, 0, 3, 0, 0, 0, 0, 0)
    refused(game, 0, "4 2 0", "nothing may follow a purchase, but '0' does")


def test_a_purchase_without_a_card_is_garbled() -> None:
    garbled(new_game(), 0, "4", "must be followed by a card")


def test_the_bank_may_be_out_of_gold() -> None:
    game = new_game()
    show(game, 2)
    drain(game, 5)
    hand(game, 0, 3, 0, 0, 0, 0, 0)
    turn(game, "4 2")
    assert game.position.players[0].cards == [2]
