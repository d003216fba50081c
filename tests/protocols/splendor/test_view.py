"""The position as plain data."""

from __future__ import annotations

from .table import new_game, show, turn


def test_the_view_tells_the_facts_of_every_card_it_names() -> None:
    game = new_game(2)
    show(game, 55)
    turn(game, "3 55")
    view = game.view()
    assert view["players"][0]["reserve"] == [
        {"id": 55, "level": 2, "bonus": 4, "points": 2, "cost": [3, 5, 0, 0, 0], "secret": False}
    ]
    assert [card["id"] for card in view["rows"][1]] == game.position.rows[1]
    assert [noble["id"] for noble in view["nobles"]] == game.position.nobles
    assert (view["round"], view["seat"], view["over"], view["last_round"]) == (1, 1, False, False)
    assert (view["max_rounds"], view["goal"]) == (100, 15)
    assert (view["bank"], view["decks"]) == ([4, 4, 4, 4, 4, 4], [36, 25, 16])


def test_a_secret_card_is_open_and_marked() -> None:
    game = new_game(2)
    card = game.position.decks[0][-1]
    turn(game, "3 -1")
    kept = game.view()["players"][0]["reserve"][0]
    assert (kept["id"], kept["secret"]) == (card, True)


def test_an_empty_slot_is_none() -> None:
    game = new_game(2)
    game.position.rows[0][2] = 0
    assert game.view()["rows"][0][2] is None


def test_no_seat_is_to_move_when_it_is_over() -> None:
    game = new_game(1, max_rounds=1)
    turn(game, "1 0")
    assert game.view()["seat"] is None
    assert game.view()["over"] is True
