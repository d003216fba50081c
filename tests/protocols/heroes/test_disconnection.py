"""Missing answers, and answers that are not a direction."""

from __future__ import annotations

import json

import pytest

from arbiter.game import Fault, FaultKind, GarbledMove
from protocols.heroes.rules import DISCONNECT

from .table import arena, hero, new_game, ply

PROCESS_FAULTS = [kind for kind in FaultKind if kind not in (FaultKind.GARBLED, FaultKind.ILLEGAL)]

MEETING = """
    +--------+
    |@1@2    |
    |$3      |
    |        |
    |@4    @3|
    +--------+
    """


def test_no_answer_disconnects() -> None:
    assert {new_game().fallback(2, Fault(kind)) for kind in PROCESS_FAULTS} == {DISCONNECT}


@pytest.mark.parametrize("kind", [FaultKind.GARBLED, FaultKind.ILLEGAL])
def test_an_unknown_direction_is_stay_without_disconnection(kind: FaultKind) -> None:
    game = arena(MEETING)
    assert game.fallback(0, Fault(kind)) == "Stay"
    assert ply(game, "Stay") == ["hero 1 hits hero 2, life 75"]
    assert hero(game, 1).connected
    assert hero(game, 1).last_direction == "Stay"


def test_no_answer_the_ply_counts_as_stay_with_its_fight() -> None:
    game = arena(MEETING)
    assert ply(game, DISCONNECT) == ["hero 1 is disconnected", "hero 1 hits hero 2, life 75"]
    assert (hero(game, 1).life, hero(game, 1).last_direction) == (99, "Stay")
    assert not hero(game, 1).connected


def test_a_disconnected_hero_is_never_asked_again_and_its_plies_are_played_after_the_last_one_before_it() -> None:
    game = arena(MEETING)
    ply(game, "Stay")
    assert ply(game, DISCONNECT) == ["hero 2 is disconnected", "hero 2 hits hero 1, life 74"]
    seats = []
    for _ in range(7):
        seats.append(game.to_move())
        ply(game, "Stay")
    assert seats == [(2,), (3,), (0,), (2,), (3,), (0,), (2,)]


def test_it_stays_put_but_fights_and_earns_and_is_thirsty() -> None:
    game = arena(MEETING, mover=3)
    ply(game, DISCONNECT)
    assert (hero(game, 3).gold, hero(game, 3).life) == (1, 99)
    ply(game, "Stay")
    ply(game, "East")
    events = ply(game, "Stay")
    assert events == ["hero 2 hits hero 1, life 74"]
    assert (hero(game, 3).gold, hero(game, 3).life) == (2, 98)
    assert divmod(hero(game, 3).cell, 4) == (3, 3)
    assert game.to_move() == (3,)


def test_events_of_a_disconnected_hero_come_with_the_ply_before() -> None:
    game = arena(MEETING)
    ply(game, DISCONNECT)
    ply(game, "Stay")
    ply(game, "Stay")
    assert ply(game, "Stay") == ["hero 1 hits hero 2, life 49"]
    assert game.to_move() == (1,)


def test_it_can_still_win() -> None:
    game = arena(MEETING, mover=3, rounds=2)
    ply(game, DISCONNECT)
    while game.result() is None:
        ply(game, "Stay")
    result = game.result()
    assert result is not None
    assert result.ranks == (2, 2, 1, 2)
    assert result.data["disconnected"] == [False, False, True, False]


def test_all_four_disconnected_the_game_is_played_out() -> None:
    game = arena(MEETING.replace("$3", "$4"), rounds=300)
    for _ in range(4):
        assert game.result() is None
        ply(game, DISCONNECT)
    result = game.result()
    assert result is not None
    assert game.to_move() == ()
    assert game.position.ply == 1200
    assert result.scores[3] == 300
    assert result.data["disconnected"] == [True] * 4
    assert hero(game, 1).kills + hero(game, 2).kills > 50


def test_a_no_show_is_a_disconnected_hero_from_the_start() -> None:
    game = arena(MEETING, absent=[1, 3])
    assert game.to_move() == (1,)
    assert (hero(game, 1).life, hero(game, 2).life) == (99, 75)
    assert game.display().events() == []
    state = json.loads(game.prompt(1))
    assert state["game"]["turn"] == 1
    assert [each["crashed"] for each in state["game"]["heroes"]] == [True, False, True, False]
    ply(game, "Stay")
    assert game.to_move() == (3,)


def test_a_game_of_no_shows_is_over_at_once() -> None:
    game = arena(MEETING, absent=[1, 2, 3, 4])
    result = game.result()
    assert result is not None
    assert result.scores == (0, 0, 300, 0)


def test_no_agent_can_ask_for_it() -> None:
    with pytest.raises(GarbledMove):
        new_game().read(0, DISCONNECT)
