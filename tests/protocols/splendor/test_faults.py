"""The fallback after a fault."""

from __future__ import annotations

from arbiter.game import Fault, FaultKind

from .table import hand, new_game, on_board, own_bonuses, turn


def test_every_fault_is_a_pass() -> None:
    assert {new_game().fallback(0, Fault(kind)) for kind in FaultKind} == {"pass"}


def test_a_forced_pass_changes_nothing_but_whose_turn_it_is() -> None:
    game = new_game()
    hand(game, 0, 1, 2, 3, 0, 0, 1)
    on_board(game, 1)
    own_bonuses(game, 0, 4, 4)
    before = game.view()
    game.play({0: "pass"})
    after = game.view()
    assert (before.pop("seat"), after.pop("seat")) == (0, 1)
    assert after == before
    assert game.display().events() == []


def test_a_pass_of_the_last_seat_ends_the_round_like_any_turn() -> None:
    game = new_game()
    turn(game, "1 0")
    game.play({1: "pass"})
    assert (game.position.round, game.to_move()) == (2, (0,))


def test_an_abnormal_end_is_a_fault_unless_the_option_says_otherwise() -> None:
    assert new_game().strict_exit is True
    assert new_game(strict_exit=False).strict_exit is False
