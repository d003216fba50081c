"""Faults: defeat, what still counts in that turn, and the winner."""

from __future__ import annotations

import pytest

from arbiter.game import Fault, FaultKind

from .table import LINE, drawn, lose, owners, result_of, scores, start, turn


@pytest.mark.parametrize("seat", [0, 1])
def test_every_fault_is_a_defeat_that_ends_the_game(seat: int) -> None:
    for kind in FaultKind:
        game = start(LINE)
        result = lose(game, kind, seat)
        assert result.ranks == ((2, 1) if seat == 0 else (1, 2))
        assert result.reason == f"seat {seat} is defeated: {kind.value}"
        assert result.data["defeat"][seat] == kind.value
        assert tuple(game.to_move()) == ()


def test_a_bad_part_loses_after_the_parts_before_it_were_carried_out() -> None:
    game = start(drawn("A...B\n.....", {0: [1]}), ink_threshold=1)
    turn(game, "PLACE_TRACKS 1 0;DISRUPT 3 1;WAIT now;PLACE_TRACKS 2 0", "PLACE_TRACKS 3 0")
    assert owners(game) == ".0.1......"
    assert "region 8 is inked out, no track lost" in game.display().events()
    assert result_of(game).ranks == (2, 1)
    assert result_of(game).reason == "seat 0 is defeated: garbled"


def test_the_turn_of_a_defeat_is_still_scored() -> None:
    game = start(LINE)
    turn(game, "AUTOPLACE 0 0 4 0;")
    turn(game, "WAIT;oops")
    assert scores(game) == (6, 0)


def test_a_defeat_outweighs_all_points() -> None:
    game = start(LINE)
    turn(game, "AUTOPLACE 0 0 4 0")
    turn(game, "WAIT;oops")
    assert (result_of(game).ranks, result_of(game).scores) == ((2, 1), (6.0, 0.0))


def test_if_both_are_defeated_in_one_turn_neither_wins() -> None:
    game = start(LINE)
    turn(game, "AUTOPLACE 0 0 4 0")
    game.play({0: game.fallback(0, Fault(FaultKind.LATE)), 1: game.fallback(1, Fault(FaultKind.CRASHED))})
    assert result_of(game).ranks == (2, 2)
    assert result_of(game).reason == "both seats are defeated: late (seat 0), crashed (seat 1)"


def test_a_defeat_in_the_last_turn_is_still_one() -> None:
    game = start(LINE, turns=1)
    turn(game, "AUTOPLACE 0 0 4 0;", "oops")
    assert result_of(game).reason == "seat 1 is defeated: garbled"


def test_the_fallback_keeps_what_was_salvaged() -> None:
    game = start(LINE)
    assert game.fallback(0, Fault(FaultKind.GARBLED, "", "PLACE_TRACKS 1 0")) == "PLACE_TRACKS 1 0;DEFEAT garbled"
    assert game.fallback(0, Fault(FaultKind.NOT_STARTED)) == "DEFEAT not started"


def test_an_impossible_order_is_not_a_fault() -> None:
    game = start(LINE)
    turn(game, "PLACE_TRACKS 77 0;DISRUPT 99;AUTOPLACE 9 9 9 9", "PLACE_TRACKS 0 0;DISRUPT 0")
    assert game.result() is None
