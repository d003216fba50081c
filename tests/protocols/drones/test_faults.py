"""What a fault leads to."""

from __future__ import annotations

import pytest

from arbiter.game import Fault, FaultKind

from .table import army, new_match, reads, turn, units


@pytest.mark.parametrize("kind", list(FaultKind))
def test_no_answer_in_time_a_crash_an_unreadable_line_are_an_empty_action(kind: FaultKind) -> None:
    game = new_match()
    assert game.fallback(1, Fault(kind)) == reads(game, "{}", 1) == "0 0 0"


def test_an_empty_action_changes_nothing_and_the_match_goes_on() -> None:
    game = new_match()
    army(game, 0, 3, 2)
    turn(game, game.fallback(0, Fault(FaultKind.LATE)), "1 0 0")
    assert units(game, 0) == (3, 2)
    assert (game.position.round, game.position.turn) == (1, 2)
    assert game.result() is None


def test_a_seat_that_faults_can_still_be_attacked_and_defends() -> None:
    game = new_match()
    army(game, 0, 1, 3)
    army(game, 1, 1, 2)
    turn(game, "0 0 1", game.fallback(1, Fault(FaultKind.CRASHED)))
    assert game.position.winners == [1]
