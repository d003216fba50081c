"""The end of a game and its winner."""

from __future__ import annotations

import pytest

from protocols.splendor.game import SplendorGame

from .table import new_game, on_board, own, own_bonuses, show, turn


def finished(*points_and_cards: tuple[int, int], max_rounds: int = 100) -> SplendorGame:
    """Return a game in which each seat has these points and cards after the round just played."""
    game = new_game(len(points_and_cards), max_rounds=max_rounds)
    for player, (points, cards) in zip(game.position.players, points_and_cards, strict=True):
        player.points = points
        player.cards[:] = game.position.decks[0][:cards]
        del game.position.decks[0][:cards]
    for _ in points_and_cards:
        turn(game, "1 0")
    return game


def ranks(game: SplendorGame) -> tuple[int, ...]:
    result = game.result()
    assert result is not None
    return result.ranks


def test_the_game_goes_on_below_fifteen_points() -> None:
    game = finished((14, 9), (14, 9))
    assert game.result() is None
    assert game.to_move() == (0,)


@pytest.mark.parametrize("scorer", [0, 1, 2])
def test_the_round_in_which_a_player_reaches_fifteen_is_played_to_its_end(scorer: int) -> None:
    game = new_game(3)
    on_board(game, 1)
    own_bonuses(game, scorer, 4, 4)
    game.position.players[scorer].points = 12
    for seat in range(3):
        assert game.result() is None
        assert game.to_move() == (seat,)
        turn(game, "1 0")
    assert ranks(game)[scorer] == 1
    assert game.to_move() == ()


def test_a_later_seat_may_overtake_in_the_last_round() -> None:
    game = new_game(2)
    game.position.players[0].points = 15
    game.position.players[1].points = 12
    turn(game, "1 0")
    own(game, 1, *[card for card in range(71, 91) if card in game.position.decks[2]][:1])
    turn(game, "1 0")
    assert ranks(game) == (2, 1)


def test_most_points_win() -> None:
    game = finished((15, 3), (17, 12), (16, 4), (3, 0))
    result = game.result()
    assert result is not None
    assert result.ranks == (3, 1, 2, 4)
    assert result.scores == (15, 17, 16, 3)
    assert result.reason == "seat 1 has 17 points after 1 round"
    assert result.data == {"cards": [3, 12, 4, 0], "nobles": [0, 0, 0, 0], "rounds": 1}


def test_with_equal_points_the_fewest_bought_cards_win() -> None:
    game = finished((15, 9), (15, 8), (14, 2))
    result = game.result()
    assert result is not None
    assert result.ranks == (2, 1, 3)
    assert result.reason == "seat 1 has 15 points with the fewest cards, 8, after 1 round"


def test_reserved_cards_are_not_bought_cards() -> None:
    game = new_game(2)
    for player in game.position.players:
        player.points = 15
        player.cards[:] = [game.position.decks[0].pop()]
    turn(game, "3 -2")
    turn(game, "1 0")
    assert ranks(game) == (1, 1)


def test_with_equal_points_and_cards_the_win_is_shared() -> None:
    game = finished((16, 9), (15, 3), (16, 9), (16, 9))
    result = game.result()
    assert result is not None
    assert result.ranks == (1, 4, 1, 1)
    assert result.reason == "seats 0, 2 and 3 share the win with 16 points and 9 cards after 1 round"


def test_equal_losers_share_their_rank() -> None:
    assert ranks(finished((9, 2), (15, 9), (9, 2), (1, 1))) == (2, 1, 2, 4)


def test_the_game_ends_after_a_hundred_rounds() -> None:
    game = new_game(2)
    for _ in range(199):
        turn(game, "1 0")
        assert game.result() is None
    turn(game, "1 0")
    result = game.result()
    assert result is not None
    assert result.data["rounds"] == 100


def test_there_is_no_winner_when_the_cap_is_reached_without_fifteen_points() -> None:
    game = finished((14, 9), (3, 2), max_rounds=1)
    result = game.result()
    assert result is not None
    assert result.ranks == (2, 2)
    assert result.scores == (14, 3)
    assert result.reason == "nobody has 15 points after 1 round"


def test_the_cap_does_not_matter_to_who_has_fifteen_points() -> None:
    assert ranks(finished((14, 9), (15, 20), max_rounds=1)) == (2, 1)


@pytest.mark.parametrize("rounds", [1, 7])
def test_the_cap_is_an_option(rounds: int) -> None:
    game = new_game(3, max_rounds=rounds)
    for _ in range(3 * rounds):
        assert game.result() is None
        turn(game, "1 0")
    assert ranks(game) == (2, 2, 2)


def test_a_player_alone_wins_with_fifteen_points_and_not_before() -> None:
    assert ranks(finished((15, 9))) == (1,)
    assert ranks(finished((14, 9), max_rounds=1)) == (2,)


def test_a_purchase_can_end_a_game() -> None:
    game = new_game(1)
    show(game, 80)
    own_bonuses(game, 0, 7, 0, 0, 0, 3)
    game.position.players[0].points = 10
    on_board(game)
    turn(game, "4 80")
    result = game.result()
    assert result is not None
    assert (result.ranks, result.scores) == ((1,), (15,))
