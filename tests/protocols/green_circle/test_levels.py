"""The four leagues, the applications and the opening."""

from __future__ import annotations

from itertools import combinations

import pytest

from arbiter.game import Chance, Game
from arbiter.testing import defaults
from protocols.green_circle import protocol
from protocols.green_circle.applications import BIG, SMALL
from tests.protocols.green_circle.positions import B, D, actions, game_of, office_of, phase, play, team

SMALL_FORMS = """
 0: 3 4 6   1: 1 4 7   2: 2 6 7   3: 1 2 3   4: 1 3 7   5: 2 3 5   6: 2 5 6
 7: 0 3 5   8: 0 4 5   9: 0 2 6  10: 0 6 7  11: 2 3 4  12: 4 5 7  13: 4 6 7
14: 0 1 3  15: 0 1 7  16: 0 5 6  17: 0 1 5  18: 2 4 6  19: 1 2 7  20: 3 6 7
21: 1 2 5  22: 1 3 6  23: 0 3 7  24: 3 5 6  25: 0 1 4  26: 0 2 4  27: 2 4 5
"""


def opened(level: int, seed: int) -> Game:
    options = defaults(protocol, {"level": level})
    return protocol.start(2, options, protocol.setup(2, options, Chance(seed, "setup")), Chance(seed))


@pytest.mark.parametrize(("level", "small", "big"), [(1, 12, 0), (2, 6, 6), (3, 0, 12), (4, 0, 12)])
def test_each_level_has_its_number_of_small_and_big_applications(level: int, small: int, big: int) -> None:
    for seed in range(5):
        shown = opened(level, seed).view()["applications"]
        sizes = [application["size"] for application in shown]
        assert (sizes.count("small"), sizes.count("big")) == (small, big)


def test_level_2_is_the_default() -> None:
    assert defaults(protocol) == {"level": 2, "strict_skills": False, "max_phases": 200}


def test_the_small_form_is_three_skills_of_two() -> None:
    words = SMALL_FORMS.replace(":", "").split()
    listed = [tuple(map(int, words[start + 1 : start + 4])) for start in range(0, len(words), 4)]
    assert [int(words[start]) for start in range(0, len(words), 4)] == list(range(28))
    for application, skills in zip(SMALL, listed, strict=True):
        assert application.needed == tuple(2 if skill in skills else 0 for skill in range(8))
        assert application.needs == tuple((skill, 2) for skill in skills)


def test_the_big_form_of_id_k_is_the_kth_pair_of_skills_four_each() -> None:
    for application, pair in zip(BIG, combinations(range(8), 2), strict=True):
        assert application.needed == tuple(4 if skill in pair else 0 for skill in range(8))
    assert BIG[27].line == "APPLICATION 27 0 0 0 0 0 0 4 4"
    assert BIG[0].line == "APPLICATION 0 4 4 0 0 0 0 0 0"


def test_applications_are_drawn_without_replacement_and_shown_by_id() -> None:
    seen = set()
    for seed in range(30):
        ids = [application["id"] for application in opened(2, seed).view()["applications"]]
        assert ids == sorted(set(ids))
        assert len(ids) == 12
        seen.update(ids)
    assert seen == set(range(28))


def test_any_id_can_come_in_either_form() -> None:
    forms = {(each["id"], each["size"]) for seed in range(150) for each in opened(2, seed).view()["applications"]}
    assert len(forms) == 56


def test_all_applications_are_visible_from_the_start_and_never_refilled() -> None:
    game = game_of(1, mine={"hand": [3, 4, 6, B]})
    assert game.prompt(0).splitlines()[1] == "12"
    play(game, "MOVE 0", "RELEASE 0")
    lines = game.prompt(1).splitlines()
    assert lines[1] == "11"
    assert [int(line.split()[1]) for line in lines[2:13]] == list(range(1, 12))


def test_five_cards_a_desk_and_the_pools_less_what_the_teams_start_with() -> None:
    view = opened(2, 1).view()
    assert view["desks"] == [5] * 8
    assert view["bonus_pool"] == 36 - 8
    assert view["debt_pool"] == 100 - 8


def test_both_start_outside_with_four_bonus_and_four_debt() -> None:
    for seed in range(20):
        for each in opened(3, seed).view()["teams"]:
            assert each["location"] == -1
            assert sorted(each["hand"] + each["draw"]) == [B] * 4 + [D] * 4
            assert each["discard"] == each["played"] == each["automated"] == []


def test_the_first_hand_is_neither_four_bonus_nor_four_debt() -> None:
    for seed in range(400):
        for each in opened(1, seed).view()["teams"]:
            assert len(set(each["hand"])) == 2


def test_both_first_hands_are_drawn_before_the_first_move() -> None:
    game = opened(2, 3)
    assert game.to_move() == (0,)
    assert [len(each["hand"]) for each in game.view()["teams"]] == [4, 4]
    assert [len(each["draw"]) for each in game.view()["teams"]] == [4, 4]


def test_the_first_pile_is_drawn_from_its_front() -> None:
    office = office_of(2, piles=[[B, B, D, B, D, B, D, D], [D, D, D, B, B, B, B, D]])
    assert [each.hand for each in office.teams] == [[B, B, D, B], [D, D, D, B]]


def test_level_1_has_no_play_phase_no_gift_and_no_throw() -> None:
    game = game_of(1, mine={"hand": [0, 4, 6, 7], "location": 5}, theirs={"location": 2})
    play(game, "MOVE 2")
    assert phase(game) == (0, "RELEASE")
    assert team(game, 0)["hand"] == [0, 4, 6, 7, 2]


def test_level_2_plays_the_four_simple_skills_only() -> None:
    game = play(game_of(2, mine={"hand": [7, 6, 5, 4, 3, 2, 1, 0]}), "MOVE 0")
    assert actions(game) == ["REFACTORING", "CODE_REVIEW", "ARCHITECTURE_STUDY", "TRAINING", "RANDOM", "WAIT"]


def test_level_2_asks_for_no_play_with_other_skills_only() -> None:
    game = play(game_of(2, mine={"hand": [1, 2, 3, 5]}), "MOVE 1")
    assert phase(game) == (0, "RELEASE")


@pytest.mark.parametrize("level", [3, 4])
def test_levels_3_and_4_play_all_eight_skills(level: int) -> None:
    game = play(game_of(level, mine={"hand": [7, 6, 5, 4, 3, 2, 1]}), "MOVE 0")
    assert {action.split()[0] for action in actions(game)} == {
        "TRAINING", "CODING", "DAILY_ROUTINE", "TASK_PRIORITIZATION", "ARCHITECTURE_STUDY", "CONTINUOUS_INTEGRATION",
        "CODE_REVIEW", "REFACTORING", "RANDOM", "WAIT",
    }  # fmt: skip


def test_level_2_does_not_throw_cards_on_passing_the_end() -> None:
    game = play(game_of(2, mine={"hand": [1, 2, 3, 5], "location": 6}), "MOVE 2")
    assert phase(game) == (0, "RELEASE")
    assert team(game, 0)["hand"] == [1, 2, 3, 5, 2]
