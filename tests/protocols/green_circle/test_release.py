"""RELEASE: its requirements and its cost."""

from __future__ import annotations

import pytest

from arbiter.game import IllegalMove
from protocols.green_circle.game import GreenCircleGame
from tests.protocols.green_circle.positions import B, D, actions, game_of, phase, play, team

FIRST_BIG = {"small": [], "big": [0, 9, 13, 14, 15, 16, 18, 20, 22, 24, 25, 27]}
"""Only application 0 needs TRAINING, and 0 and 9 are the only ones that need CODING."""


def releasing(hand: list[int], *, score: int = 0, automated: list[int] | None = None) -> GreenCircleGame:
    """Seat 0 at level 4 just before RELEASE with this hand; it moved to an empty desk and plays nothing."""
    mine = {"hand": hand, "score": score, "automated": automated or [], "draw": [D] * 9}
    game = play(game_of(4, mine=mine, stock={5: 0, B: 0}, applications=FIRST_BIG), "MOVE 5")
    return play(game, "WAIT") if phase(game) == (0, "PLAY_CARD") else game


def debts_for(hand: list[int], *, automated: list[int] | None = None) -> int:
    game = releasing(hand, automated=automated)
    before: int = game.view()["debt_pool"]
    play(game, "RELEASE 0")
    after: int = game.view()["debt_pool"]
    return before - after


def test_the_phase_is_sent_only_if_something_can_be_released() -> None:
    assert phase(releasing([0, 0, 1])) == (0, "RELEASE")
    assert phase(releasing([0, D, D])) == (1, "MOVE")


def test_releases_are_listed_by_id_then_random_then_wait() -> None:
    assert actions(releasing([0, 0, 1, 1])) == [*(f"RELEASE {id_}" for id_ in FIRST_BIG["big"]), "RANDOM", "WAIT"]
    assert actions(releasing([0, 0, 1])) == ["RELEASE 0", "RELEASE 9", "RANDOM", "WAIT"]


def test_a_skill_card_gives_two_skills_and_a_bonus_card_one() -> None:
    assert debts_for([0, 0, 1, 1]) == 0
    assert debts_for([0, 0, 1, B, B]) == 0
    assert debts_for([0, 0, 1, B, D]) == 1


def test_skills_of_one_kind_beyond_the_need_help_no_other() -> None:
    assert debts_for([0, 0, 0, 0]) == 4


def test_bonus_cards_beyond_the_need_cost_nothing() -> None:
    assert debts_for([0, 0, 1, 1, B, B]) == 0


def test_shoddy_skills_are_two_per_skill_card_and_one_per_bonus() -> None:
    assert debts_for([6, 6, 6, 6]) == 8
    assert debts_for([6, 6, 6, B]) == 7
    assert debts_for([B, B, B, B]) == 4
    assert "RELEASE 0" not in actions(releasing([6, 6, 6]))
    assert phase(releasing([B, B, B])) == (1, "MOVE")


def test_each_missing_skill_costs_one_debt_card_into_the_discard() -> None:
    game = play(releasing([0, 0, 1, 7]), "RELEASE 0")
    mine = team(game, 0)
    assert mine["discard"].count(D) == 2
    assert mine["discard"] == [D, D, 0, 0, 1, 7]


def test_automated_cards_count_in_every_release() -> None:
    assert debts_for([0, 1], automated=[0, 1]) == 0
    assert debts_for([0, 1], automated=[0, B]) == 1
    assert debts_for([D], automated=[6, 6, 6, 6]) == 8
    game = play(releasing([0, 1], automated=[0, 1]), "RELEASE 0")
    assert team(game, 0)["automated"] == [0, 1]


def test_cards_are_not_consumed() -> None:
    game = play(releasing([0, 0, 1, 1, B]), "RELEASE 0")
    assert team(game, 0)["discard"] == [0, 0, 1, 1, B]


def test_the_application_is_gone_for_both() -> None:
    game = play(releasing([0, 0, 1, 1]), "RELEASE 0")
    assert "APPLICATION 0 " not in game.prompt(1)
    assert team(game, 0)["score"] == 1
    assert "\n-1 0 0 0\n5 1 0 0\n" in game.prompt(1)


def test_only_one_release_a_turn() -> None:
    game = play(releasing([0, 0, 1, 1, 2, 2]), "RELEASE 0")
    assert phase(game) == (1, "MOVE")


def test_wait_releases_nothing() -> None:
    game = play(releasing([0, 0, 1, 1]), "WAIT")
    assert phase(game) == (1, "MOVE")
    assert team(game, 0)["score"] == 0


def test_the_fifth_release_takes_no_shoddy_skill() -> None:
    assert phase(releasing([0, 0, 1, 6], score=4)) == (1, "MOVE")
    game = releasing([0, 0, 1, 1], score=4)
    assert actions(game) == ["RELEASE 0", "RANDOM", "WAIT"]
    with pytest.raises(IllegalMove, match="may not be shoddy"):
        game.read(0, "RELEASE 9")


def test_the_fourth_release_may_still_be_shoddy() -> None:
    assert "RELEASE 0" in actions(releasing([0, 0, 1, 6], score=3))


def test_bonus_cards_are_good_quality_in_the_fifth_release() -> None:
    assert actions(releasing([0, 0, 1, B, B], score=4)) == ["RELEASE 0", "RANDOM", "WAIT"]


def test_a_release_sends_permanent_cards_to_the_discard_before_the_next_draw() -> None:
    mine = {"hand": [0, 0, 1, 1], "permanent": [4, 2, 4], "draw": [D] * 9}
    game = play(game_of(4, mine=mine, stock={5: 0, B: 0}, applications=FIRST_BIG), "MOVE 5", "WAIT", "RELEASE 0")
    after = team(game, 0)
    assert (after["daily_routine"], after["architecture_study"]) == (0, 0)
    assert after["discard"] == [4, 2, 4, 0, 0, 1, 1]
    assert len(after["hand"]) == 4


def test_without_a_release_permanent_cards_stay_active() -> None:
    mine = {"hand": [0, 0, 1, 1], "permanent": [4, 2, 4], "draw": [D] * 9}
    game = play(game_of(4, mine=mine, stock={5: 0, B: 0}, applications=FIRST_BIG), "MOVE 5", "WAIT", "WAIT")
    after = team(game, 0)
    assert (after["daily_routine"], after["architecture_study"]) == (1, 2)
    assert len(after["hand"]) == 6


def test_a_shoddy_release_takes_the_debt_that_is_left() -> None:
    mine = {"hand": [6, 6, 6, 6], "draw": [D] * 9}
    game = game_of(4, mine=mine, stock={5: 0, B: 0, D: 3}, applications=FIRST_BIG)
    play(game, "MOVE 5", "WAIT", "RELEASE 0")
    assert team(game, 0)["discard"].count(D) == 3
    assert team(game, 0)["score"] == 1
    assert game.view()["debt_pool"] == 0
