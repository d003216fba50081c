"""The fallback after a fault."""

from __future__ import annotations

from arbiter.game import Fault, FaultKind

from .table import army, new_match, reads, turn, units


def test_every_fault_is_an_empty_action() -> None:
    game = new_match()
    assert reads(game, "{}", 1) == "0 0 0"
    assert {game.fallback(1, Fault(kind)) for kind in FaultKind} == {"0 0 0"}


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
