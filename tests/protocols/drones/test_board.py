"""The terminal drawing, and the position as data."""

from __future__ import annotations

import re

import pytest

from .table import army, fight, new_match, turn, win_round


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


OPENING = """\
GameOfDrones  round 1 of 10, turn 1 of 10

seat 0: won 0
  producers    1 ○            soldiers    0
seat 1: won 0
  producers    1 ○            soldiers    0
"""

LATER = """\
GameOfDrones  round 4 of 10, turn 2 of 10

seat 0: won 1
  producers   16              soldiers    7 ▲▲▲▲▲▲▲
seat 1: won 2
  producers    3 ○○○          soldiers  512

rounds   011
last     round 3: seat 1 attacks with 5 against 0 + 1 and wins
         seat 0 had 1 producer, 0 soldiers
         seat 1 had 1 producer, 5 soldiers, attacked
"""

END = """\
GameOfDrones  all 2 rounds are played

seat 0: won 1
seat 1: won 0

rounds   0=   1 drawn
last     round 2: both attack: 3 against 3 in the field, a draw
         seat 0 had 1 producer, 3 soldiers, attacked
         seat 1 had 2 producers, 3 soldiers, attacked
"""


def test_the_opening() -> None:
    assert plain(new_match().display().board()) == OPENING


def test_later_in_a_match() -> None:
    game = new_match()
    for winner in (0, 1, 1):
        win_round(game, winner)
    turn(game, "1 0 0", "1 0 0")
    army(game, 0, 16, 7)
    army(game, 1, 3, 512)
    assert plain(game.display().board()) == LATER


def test_the_end() -> None:
    game = new_match(rounds=2, field_tie="draw")
    win_round(game, 0)
    fight(game, (1, 3), (2, 3), attacks="01")
    assert plain(game.display().board()) == END


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_sees_its_own_units_only(seat: int) -> None:
    game = new_match()
    army(game, seat, 3, 2)
    army(game, 1 - seat, 77, 88)
    lines = plain(game.display().board(seat)).splitlines()
    own, other = 2 + 2 * seat, 4 - 2 * seat
    assert lines[own : own + 2] == [f"seat {seat}, you: won 0", "  producers    3 ○○○          soldiers    2 ▲▲"]
    assert lines[other : other + 2] == [f"seat {1 - seat}: won 0", "  units unknown"]
    assert "77" not in plain(game.display().board(seat))
    assert "88" not in plain(game.display().board(seat))


def test_long_matches_show_the_last_rounds() -> None:
    game = new_match(rounds=1000)
    for number in range(100):
        win_round(game, number % 2)
    assert f"rounds   60 earlier … {'01' * 20}\n" in plain(game.display().board())


def test_the_view_lays_everything_open() -> None:
    game = new_match(turns=12)
    fight(game, (2, 5), (3, 2), attacks="0")
    turn(game, "1 0 0", "0 1 0")
    assert game.view() == {
        "round": 2,
        "rounds": 10,
        "turn": 2,
        "turns": 12,
        "defender_bonus": 1,
        "over": False,
        "rounds_won": [1, 0],
        "draws": 0,
        "winners": "0",
        "match_coin": None,
        "players": [{"producers": 2, "soldiers": 0}, {"producers": 1, "soldiers": 1}],
        "last_round": {
            "round": 1,
            "turns_played": 1,
            "winner": 0,
            "settled_by": "attack",
            "players": [
                {"producers": 2, "soldiers": 5, "attacked": True},
                {"producers": 3, "soldiers": 2, "attacked": False},
            ],
        },
    }
