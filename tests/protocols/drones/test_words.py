"""Moves and events in words."""

from __future__ import annotations

import pytest

from .table import army, fight, new_match, turn


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("0 0 0", "makes nothing"),
        ("1 0 0", "makes 1 producer"),
        ("0 1 0", "makes 1 soldier"),
        ("2 3 0", "makes 2 producers and 3 soldiers"),
        ("0 0 1", "attacks with 4"),
        ("0 3 1", "makes 3 soldiers, attacks with 7"),
        ("1 0 1", "makes 1 producer, attacks with 4"),
        ("0.5 0.25 1", "makes 0.50 producers and 0.25 soldiers, attacks with 4.25"),
    ],
)
def test_a_move_in_words(move: str, words: str) -> None:
    game = new_match()
    army(game, 1, 3, 4)
    assert game.display().describe(1, move) == words


def test_nothing_happens_within_a_round() -> None:
    game = new_match()
    assert list(game.display().events()) == []
    turn(game, "1 0 0", "1 0 0")
    assert list(game.display().events()) == []


@pytest.mark.parametrize(
    ("mine", "other", "attacks", "described"),
    [
        ((1, 5), (1, 2), "0", "round 1: seat 0 attacks with 5 against 2 + 1 and wins"),
        ((1, 3), (1, 2), "1", "round 1: seat 1 attacks with 2 against 3 + 1 and loses"),
        ((1, 3), (1, 2), "01", "round 1: both attack: 3 against 2 in the field, seat 0 wins"),
        ((1, 3), (1, 2), "", "round 1: no attack in 1 turn: 3 against 2 in the field, seat 0 wins"),
        ((2, 3), (4, 3), "01", "round 1: both attack: 3 against 3 in the field, 5 against 7 units in all, seat 1 wins"),
    ],
)
def test_the_end_of_a_round_is_an_event(
    mine: tuple[int, int], other: tuple[int, int], attacks: str, described: str
) -> None:
    game = new_match(turns=1)
    fight(game, mine, other, attacks)
    assert list(game.display().events()) == [described]


def test_a_coin_toss_and_a_draw_are_described() -> None:
    game = new_match(1, turns=1)
    clash = fight(game, (1, 0), (1, 0), attacks="")
    coin = f"1 unit each, the coin falls for seat {clash.winner}"
    assert list(game.display().events()) == [f"round 1: no attack in 1 turn: 0 against 0 in the field, {coin}"]
    game = new_match(turns=1, field_tie="draw")
    fight(game, (1, 2), (5, 2), attacks="01")
    assert list(game.display().events()) == ["round 1: both attack: 2 against 2 in the field, a draw"]


def test_the_bonus_is_the_one_of_the_match() -> None:
    game = new_match(defender_bonus=4)
    fight(game, (1, 5), (1, 2), attacks="0")
    assert list(game.display().events()) == ["round 1: seat 0 attacks with 5 against 2 + 4 and loses"]


def test_the_last_round_is_an_event_too() -> None:
    game = new_match(rounds=1)
    fight(game, (1, 5), (1, 2), attacks="0")
    assert list(game.display().events()) == ["round 1: seat 0 attacks with 5 against 2 + 1 and wins"]
