"""The match: all its rounds, and its winner."""

from __future__ import annotations

import pytest

from arbiter.game import Chance
from protocols.drones import protocol
from protocols.drones.game import DronesGame

from .table import fight, new_match, result_of, win_round


def finished(winners: str, match_tie: str = "draw") -> DronesGame:
    """Play a match whose rounds are won by these seats; = is a draw."""
    game = new_match(rounds=len(winners), field_tie="draw", match_tie=match_tie)
    for winner in winners:
        if winner == "=":
            fight(game, (1, 3), (1, 3), attacks="01")
        else:
            win_round(game, int(winner))
    return game


def test_a_match_has_ten_rounds() -> None:
    game = new_match()
    for number in range(1, 11):
        assert game.result() is None
        assert game.position.round == number
        win_round(game, 0)
    assert result_of(game).scores == (10, 0)


@pytest.mark.parametrize("rounds", [1, 3, 1000])
def test_the_number_of_rounds_can_be_set(rounds: int) -> None:
    game = new_match(rounds=rounds)
    for _ in range(rounds):
        assert game.result() is None
        win_round(game, 1)
    assert result_of(game).scores == (0, rounds)


def test_all_rounds_are_played_even_if_the_winner_is_clear() -> None:
    game = new_match(rounds=5)
    for _ in range(4):
        win_round(game, 0)
    assert game.result() is None
    win_round(game, 1)
    assert result_of(game).scores == (4, 1)


@pytest.mark.parametrize(
    ("winners", "ranks", "scores"),
    [
        ("001", (1, 2), (2, 1)),
        ("110", (2, 1), (1, 2)),
        ("0===", (1, 2), (1, 0)),
        ("==1=", (2, 1), (0, 1)),
        ("01", (1, 1), (1, 1)),
        ("==", (1, 1), (0, 0)),
    ],
)
def test_the_match_goes_to_the_player_with_more_rounds_won_and_equal_is_a_draw(
    winners: str, ranks: tuple[int, int], scores: tuple[int, int]
) -> None:
    result = result_of(finished(winners))
    assert (result.ranks, result.scores) == (ranks, scores)


def test_the_result_tells_every_round() -> None:
    result = result_of(finished("0=110"))
    assert result.data == {"rounds_won": [2, 2], "draws": 1, "winners": [0, None, 1, 1, 0], "mean_turns": 1.0}


@pytest.mark.parametrize(
    ("winners", "reason"),
    [
        ("00110", "seat 0 wins 3 of 5 rounds, seat 1 2"),
        ("1=10", "seat 1 wins 2 of 4 rounds, seat 0 1, 1 drawn"),
        ("0110", "each seat wins 2 of 4 rounds: the match is a draw"),
        ("01==", "each seat wins 1 of 4 rounds, 2 drawn: the match is a draw"),
    ],
)
def test_the_reason_is_in_words(winners: str, reason: str) -> None:
    assert result_of(finished(winners)).reason == reason


def test_with_match_tie_coin_a_seeded_coin_decides_an_equal_match() -> None:
    def winner(seed: int) -> int:
        chance = Chance(seed)
        game = protocol.start(2, {"rounds": 2, "match_tie": "coin"}, {}, chance)
        assert isinstance(game, DronesGame)
        win_round(game, 0)
        assert chance.take() == []
        win_round(game, 1)
        result = result_of(game)
        (coin,) = chance.take()
        assert result.ranks == ((1, 2), (2, 1))[coin]
        assert result.scores == (1, 1)
        assert result.reason == f"each seat wins 1 of 2 rounds: the coin falls for seat {coin}"
        assert game.display().events()[-1] == f"1 round each: the coin gives the match to seat {coin}"
        return coin

    fallen = [winner(seed) for seed in range(30)]
    assert set(fallen) == {0, 1}
    assert fallen == [winner(seed) for seed in range(30)]


def test_with_match_tie_coin_a_match_that_is_won_needs_no_coin() -> None:
    result = result_of(finished("001", match_tie="coin"))
    assert (result.ranks, result.reason) == ((1, 2), "seat 0 wins 2 of 3 rounds, seat 1 1")
