"""PLAY_CARD: one play, and what each of the eight skills does."""

from __future__ import annotations

import pytest

from arbiter.game import IllegalMove, Move
from protocols.green_circle.game import GreenCircleGame
from tests.protocols.green_circle.positions import B, D, actions, game_of, phase, play, team


def with_hand(hand: list[int], *, draw: list[int] | None = None, discard: list[int] | None = None) -> GreenCircleGame:
    """Return a game with seat 0 in its PLAY_CARD phase at level 3 with this hand; its desk and the pools are empty."""
    mine = {"hand": hand, "draw": draw or [D] * 9, "discard": discard or []}
    game = game_of(3, mine=mine, stock={5: 0, B: 0})
    return play(game, "MOVE 5")


def test_one_skill_may_be_played() -> None:
    game = play(with_hand([6, 6, 7]), "CODE_REVIEW")
    assert phase(game) != (0, "PLAY_CARD")


def test_wait_ends_the_plays() -> None:
    game = play(with_hand([1, 6, 6, D, D]), "CODING", "WAIT")
    assert phase(game) == (0, "RELEASE")
    assert team(game, 0)["played"] == [1]


def test_the_phase_is_skipped_without_a_playable_card() -> None:
    assert phase(with_hand([B, D, D]))[1] != "PLAY_CARD"


@pytest.mark.parametrize("skill", [3, 5])
def test_task_prioritization_and_continuous_integration_need_another_card(skill: int) -> None:
    assert phase(with_hand([skill, D, D]))[1] != "PLAY_CARD"
    assert phase(with_hand([skill, D, B])) == (0, "PLAY_CARD")
    assert phase(with_hand([skill, skill])) == (0, "PLAY_CARD")


def test_the_plays_end_when_nothing_playable_is_left() -> None:
    game = play(with_hand([1, B]), "CODING")
    assert phase(game)[1] != "PLAY_CARD"


def test_plays_are_listed_in_hand_order_each_once() -> None:
    game = with_hand([7, D, 1, 7, 2, 6, 4, 0, B])
    assert actions(game) == [
        "REFACTORING", "CODING", "DAILY_ROUTINE", "CODE_REVIEW", "ARCHITECTURE_STUDY", "TRAINING", "RANDOM", "WAIT",
    ]  # fmt: skip


def test_swaps_are_listed_by_returned_card_in_hand_order_then_by_type_taken() -> None:
    game = with_hand([B, 3, D, 0])
    swaps = [f"TASK_PRIORITIZATION 8 {wanted}" for wanted in range(8)]
    swaps += [f"TASK_PRIORITIZATION 0 {wanted}" for wanted in range(1, 9)]
    assert actions(game) == [*swaps, "TRAINING", "RANDOM", "WAIT"]


def test_a_second_task_prioritization_can_be_returned_by_the_first() -> None:
    assert "TASK_PRIORITIZATION 3 0" in actions(with_hand([3, 3]))
    assert "TASK_PRIORITIZATION 3 0" not in actions(with_hand([3, B]))


def test_automations_are_listed_in_hand_order() -> None:
    game = with_hand([5, B, D, 5, 2])
    assert actions(game) == [
        "CONTINUOUS_INTEGRATION 8", "CONTINUOUS_INTEGRATION 5", "CONTINUOUS_INTEGRATION 2", "DAILY_ROUTINE",
        "RANDOM", "WAIT",
    ]  # fmt: skip


def test_training_draws_two_and_gives_one_more_play() -> None:
    game = play(with_hand([0, 6, 6], draw=[D, 7, B]), "TRAINING")
    assert team(game, 0)["hand"] == [6, 6, B, 7]
    assert team(game, 0)["played"] == [0]
    assert phase(game) == (0, "PLAY_CARD")
    assert phase(play(game, "CODE_REVIEW"))[1] != "PLAY_CARD"


def test_coding_draws_one_and_gives_two_more_plays() -> None:
    game = play(with_hand([1, 6, 6, 6], draw=[D, B]), "CODING")
    assert team(game, 0)["hand"] == [6, 6, 6, B]
    play(game, "CODE_REVIEW")
    assert phase(game) == (0, "PLAY_CARD")
    assert phase(play(game, "CODE_REVIEW"))[1] != "PLAY_CARD"


def test_extra_plays_add_up() -> None:
    game = play(with_hand([1, 0, 6, 6, 6], draw=[D, D, D, D]), "CODING", "TRAINING", "CODE_REVIEW")
    assert phase(game) == (0, "PLAY_CARD")
    assert phase(play(game, "CODE_REVIEW"))[1] != "PLAY_CARD"


def test_daily_routine_is_permanent_and_widens_the_next_move() -> None:
    game = play(with_hand([2, D]), "DAILY_ROUTINE")
    mine = team(game, 0)
    assert mine["daily_routine"] == 1
    assert 2 not in mine["discard"] + mine["hand"] + mine["played"] + mine["draw"]
    play(game, "MOVE 1", "WAIT", "WAIT")
    assert phase(game) == (0, "MOVE")
    assert actions(game)[:3] == ["MOVE 6 5", "MOVE 6", "MOVE 6 7"]


def test_task_prioritization_returns_one_card_and_takes_another() -> None:
    game = with_hand([3, 4, D, 6, 6, 6])
    before = game.view()["desks"]
    play(game, "TASK_PRIORITIZATION 4 7")
    after = game.view()["desks"]
    assert (after[4], after[7]) == (before[4] + 1, before[7] - 1)
    assert phase(game) == (0, "RELEASE")
    assert team(game, 0)["hand"] == [D, 6, 6, 6, 7]
    assert team(game, 0)["played"] == [3]


def test_task_prioritization_can_return_and_take_bonus_cards() -> None:
    game = game_of(3, mine={"hand": [3, B, B, 6]})
    pool = game.view()["bonus_pool"]
    play(game, "MOVE 0", "TASK_PRIORITIZATION 8 1")
    assert game.view()["bonus_pool"] == pool + 1
    game = game_of(3, mine={"hand": [3, 6, 6, 6]})
    play(game, "MOVE 0", "TASK_PRIORITIZATION 6 8")
    assert game.view()["bonus_pool"] == pool - 1
    assert team(game, 0)["hand"] == [6, 6, 0, B]


def test_task_prioritization_takes_a_bonus_where_the_desk_is_empty() -> None:
    game = play(game_of(3, mine={"hand": [3, 6, 6, 6]}, stock={7: 0}), "MOVE 0", "TASK_PRIORITIZATION 6 7")
    assert team(game, 0)["hand"] == [6, 6, 0, B]


def test_task_prioritization_takes_nothing_where_desk_and_pool_are_empty() -> None:
    game = with_hand([3, 6, 6, 6])
    play(game, "TASK_PRIORITIZATION 6 5")
    assert team(game, 0)["hand"] == [6, 6]
    assert game.view()["desks"][6] == 6


def test_task_prioritization_with_the_same_type_twice_is_not_offered_but_carried_out() -> None:
    game = with_hand([3, 6, B])
    assert "TASK_PRIORITIZATION 6 6" not in game.view()["actions"]
    assert game.read(0, "TASK_PRIORITIZATION 6 6") == Move("TASK_PRIORITIZATION 6 6")
    play(game, "TASK_PRIORITIZATION 6 6")
    assert team(game, 0)["discard"] == [B, 6, 3], "the card went to its desk and came back"


def test_with_strict_skills_it_takes_another_type_than_it_returns() -> None:
    game = play(game_of(3, mine={"hand": [3, 6, B]}, stock={5: 0, B: 0}, strict_skills=True), "MOVE 5")
    for answer in ("TASK_PRIORITIZATION 6 6", "TASK_PRIORITIZATION 8 8"):
        with pytest.raises(IllegalMove, match="another type"):
            game.read(0, answer)
    with pytest.raises(IllegalMove, match="0 to 8"):
        game.read(0, "TASK_PRIORITIZATION 6 9")


def test_architecture_study_is_permanent_and_draws_one_more_card_at_each_draw() -> None:
    mine = {"hand": [4, 4, D], "draw": [D] * 20, "permanent": [4]}
    game = play(game_of(3, mine=mine, stock={5: 0, B: 0}), "MOVE 5", "ARCHITECTURE_STUDY")
    assert team(game, 0)["architecture_study"] == 2
    assert len(team(game, 0)["hand"]) == 6
    assert team(game, 0)["discard"] == [4, D]


def test_continuous_integration_automates_a_card_for_good() -> None:
    game = play(with_hand([5, 6, D, 6, B]), "CONTINUOUS_INTEGRATION 6")
    mine = team(game, 0)
    assert mine["automated"] == [6]
    assert (mine["hand"], mine["played"]) == ([D, 6, B], [5])
    play(game, "WAIT")
    assert team(game, 0)["automated"] == [6]
    assert 6 in team(game, 0)["discard"]
    assert 5 in team(game, 0)["discard"]


def test_an_automated_card_cannot_be_played() -> None:
    game = play(game_of(3, mine={"hand": [D], "automated": [0, 6, 7]}, stock={5: 0, B: 0}), "MOVE 5")
    assert phase(game)[1] != "PLAY_CARD"


def test_code_review_puts_two_bonus_cards_on_the_own_discard() -> None:
    game = play(game_of(3, mine={"hand": [6, D, 6, 6, 6]}), "MOVE 0", "CODE_REVIEW")
    assert team(game, 0)["discard"] == [B, B]
    assert game.view()["bonus_pool"] == 26


@pytest.mark.parametrize("left", [0, 1])
def test_code_review_takes_fewer_where_the_pool_is_short(left: int) -> None:
    game = play(game_of(3, mine={"hand": [6, D, 6, 6, 6]}, stock={B: left}), "MOVE 0", "CODE_REVIEW")
    assert team(game, 0)["discard"] == [B] * left
    assert game.view()["bonus_pool"] == 0


def test_refactoring_returns_one_debt_from_hand_to_the_pool() -> None:
    game = play(game_of(3, mine={"hand": [7, D, 6, 6, D]}), "MOVE 0", "REFACTORING")
    assert team(game, 0)["hand"] == [6, 6, D, 0]
    assert game.view()["debt_pool"] == 93


def test_refactoring_is_legal_without_a_debt_in_hand() -> None:
    game = play(game_of(3, mine={"hand": [7, 6, 6, 6], "discard": [D]}), "MOVE 0", "REFACTORING")
    assert team(game, 0)["hand"] == [6, 6, 6, 0]
    assert team(game, 0)["discard"] == [D]
    assert game.view()["debt_pool"] == 92
