"""The prompt, byte for byte."""

from __future__ import annotations

from .table import empty_deck, hand, new_game, on_board, own, show, turn


def test_the_opening_prompt_of_two_byte_for_byte() -> None:
    game = new_game(2)
    position = game.position
    position.rows[:] = [[18, 4, 1, 40], [55, 41, 70, 60], [71, 90, 80, 75]]
    on_board(game, 3, 1, 10)
    opening = "1\n4 4 4 4 4 5\n36 18 4 1 40\n26 55 41 70 60\n16 71 90 80 75\n3 3 1 10\n"
    nobody = "0 0 0 0 0 0\n0\n0\n0\n"
    assert game.prompt(0) == "2 1\n" + opening + nobody * 2
    assert game.prompt(1) == "2 2\n" + opening + nobody * 2


def test_a_prompt_in_the_middle_of_a_game_byte_for_byte() -> None:
    game = new_game(3)
    position = game.position
    position.rows[:] = [[18, 4, 1, 40], [55, 41, 70, 60], [71, 90, 80, 75]]
    position.decks[:] = [[2, 3, 5], [], [72, 73]]
    on_board(game, 7)
    hand(game, 0, 1, 0, 2, 0, 0, 3)
    hand(game, 2, 0, 1, 0, 5, 0, 0)
    first, _, third = position.players
    first.cards[:] = [9, 88]
    first.nobles[:] = [2, 10]
    third.reserve[:] = [44]
    position.round = 17
    assert game.prompt(1) == (
        "3 2\n17\n4 4 3 0 5 2\n3 18 4 1 40\n0 55 41 70 60\n2 71 90 80 75\n1 7\n"
        "1 0 2 0 0 3\n2 9 88\n0\n2 2 10\n"
        "0 0 0 0 0 0\n0\n0\n0\n"
        "0 1 0 5 0 0\n0\n1 44\n0\n"
    )


def test_no_trailing_blanks_an_empty_list_is_just_zero_and_the_text_ends_with_a_newline() -> None:
    game = new_game(4)
    on_board(game)
    text = game.prompt(2)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert all(line == line.strip() for line in text.splitlines())
    assert text.splitlines()[6] == "0"
    assert len(text.splitlines()) == 7 + 4 * 4


def test_the_round_counts_from_one_and_is_the_same_for_every_seat_of_a_round() -> None:
    game = new_game(3)
    rounds = []
    for _ in range(7):
        rounds.append(game.prompt(game.to_move()[0]).splitlines()[1])
        turn(game, "1 0")
    assert rounds == ["1", "1", "1", "2", "2", "2", "3"]


def test_the_deck_counter_counts_face_down_cards_only() -> None:
    game = new_game()
    assert [line.split()[0] for line in game.prompt(0).splitlines()[3:6]] == ["36", "26", "16"]
    turn(game, "3 -2")
    turn(game, f"3 {game.position.rows[2][1]}")
    assert [line.split()[0] for line in game.prompt(0).splitlines()[3:6]] == ["36", "25", "15"]


def test_a_taken_face_up_card_is_replaced_in_the_same_slot_by_the_top_of_its_deck() -> None:
    game = new_game()
    row, top = list(game.position.rows[1]), game.position.decks[1][-1]
    turn(game, f"3 {row[2]}")
    assert game.position.rows[1] == [row[0], row[1], top, row[3]]


def test_with_the_deck_empty_the_slot_becomes_zero_and_stays_where_it_is() -> None:
    game = new_game()
    empty_deck(game, 3)
    game.position.players[1].points = 0
    row = list(game.position.rows[2])
    turn(game, f"3 {row[1]}")
    turn(game, "1 0")
    assert game.prompt(0).splitlines()[5] == f"0 {row[0]} 0 {row[2]} {row[3]}"
    turn(game, f"3 {row[3]}")
    assert game.prompt(1).splitlines()[5] == f"0 {row[0]} 0 {row[2]} 0"


def test_a_card_reserved_blind_is_shown_by_id_to_its_owner_and_as_minus_level_to_the_others() -> None:
    game = new_game(3)
    tops = [deck[-1] for deck in game.position.decks]
    for blind in ("3 -3", "3 -1", "3 -2"):
        turn(game, blind)
    assert game.prompt(0).splitlines()[9::4] == [f"1 {tops[2]}", "1 -1", "1 -2"]
    assert game.prompt(1).splitlines()[9::4] == ["1 -3", f"1 {tops[0]}", "1 -2"]
    assert game.prompt(2).splitlines()[9::4] == ["1 -3", "1 -1", f"1 {tops[1]}"]


def test_a_card_reserved_face_up_is_public_to_all() -> None:
    game = new_game()
    show(game, 44)
    turn(game, "3 44")
    assert game.prompt(0).splitlines()[9] == game.prompt(1).splitlines()[9] == "1 44"


def test_ids_stand_in_the_order_in_which_they_were_acquired() -> None:
    game = new_game()
    for card in (60, 3, 44):
        game.position.decks[0 if card == 3 else 1] = [
            other for other in game.position.decks[0 if card == 3 else 1] if other != card
        ]
    game.position.players[0].reserve[:] = [60, 3, 44]
    own(game, 0, game.position.decks[2][0], game.position.decks[0][0])
    lines = game.prompt(1).splitlines()
    assert lines[8] == f"2 {game.position.players[0].cards[0]} {game.position.players[0].cards[1]}"
    assert lines[9] == "3 60 3 44"
    hand(game, 0, 0, 0, 0, 0, 3, 0)
    turn(game, "4 3")
    assert game.prompt(0).splitlines()[9] == "2 60 44"
