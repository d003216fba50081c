"""MOVE and what follows from it: cards thrown, given and taken."""

from __future__ import annotations

import pytest

from arbiter.game import IllegalMove
from tests.protocols.green_circle.positions import B, D, actions, game_of, phase, play, team


def test_seat_0_starts_and_seats_alternate_by_turn() -> None:
    game = game_of(1, mine={"hand": [D] * 4, "draw": [D] * 4}, theirs={"hand": [D] * 4, "draw": [D] * 4})
    asked = []
    for answer in ("MOVE 0", "MOVE 4", "MOVE 1", "MOVE 5"):
        asked.append(phase(game))
        play(game, answer)
    assert asked == [(0, "MOVE"), (1, "MOVE"), (0, "MOVE"), (1, "MOVE")]


def test_the_present_desk_must_be_left() -> None:
    game = game_of(2, mine={"location": 3})
    with pytest.raises(IllegalMove, match="must leave it"):
        game.read(0, "MOVE 3")
    assert "MOVE 3" not in actions(game)


def test_the_first_move_may_go_anywhere() -> None:
    assert actions(game_of(2)) == [f"MOVE {desk}" for desk in range(8)] + ["RANDOM"]


def test_moves_are_listed_from_the_next_desk_round_the_circle() -> None:
    assert actions(game_of(2, mine={"location": 5})) == [f"MOVE {desk}" for desk in (6, 7, 0, 1, 2, 3, 4)] + ["RANDOM"]


# ---- throwing


def test_passing_the_end_asks_for_two_throws_one_after_the_other() -> None:
    game = play(game_of(3, mine={"location": 5, "hand": [2, D, B, 2, 7]}), "MOVE 1")
    assert phase(game) == (0, "THROW_CARD")
    assert actions(game) == ["THROW 2", "THROW 8", "THROW 7", "RANDOM"]
    play(game, "THROW 7")
    assert phase(game) == (0, "THROW_CARD")
    assert actions(game) == ["THROW 2", "THROW 8", "RANDOM"]
    play(game, "THROW 2")
    assert team(game, 0)["hand"] == [D, B, 2, 1]


def test_the_second_throw_is_asked_even_where_one_type_is_left() -> None:
    game = play(game_of(3, mine={"location": 5, "hand": [B, B, 7]}), "MOVE 1", "THROW 7")
    assert phase(game) == (0, "THROW_CARD")
    assert actions(game) == ["THROW 8", "RANDOM"]


def test_the_location_shown_while_throwing_is_the_new_desk() -> None:
    game = play(game_of(3, mine={"location": 5, "hand": [2, B, 7]}), "MOVE 1")
    assert "\n1 0 0 0\n-1 0 0 0\n" in game.prompt(0)


def test_moving_on_without_passing_the_end_throws_nothing() -> None:
    game = play(game_of(3, mine={"location": 5, "hand": [D, B, B]}), "MOVE 7")
    assert phase(game) == (0, "PLAY_CARD")
    assert team(game, 0)["hand"] == [D, B, B, 7]


def test_the_first_move_never_passes_the_end() -> None:
    game = play(game_of(3, mine={"hand": [2, B, 7, 7]}), "MOVE 0")
    assert phase(game) == (0, "PLAY_CARD")
    assert len(team(game, 0)["hand"]) == 5


@pytest.mark.parametrize(("hand", "debts"), [([D, D], 2), ([D, 4, D], 1), ([4, D, B], 0), ([B, B], 0)])
def test_with_two_cards_or_fewer_all_are_thrown_and_debt_makes_up_the_rest(hand: list[int], debts: int) -> None:
    game = game_of(3, mine={"location": 5, "hand": hand})
    before = game.view()
    play(game, "MOVE 0")
    after = game.view()
    mine = team(game, 0)
    assert mine["hand"] == [D] * hand.count(D) + [0]
    assert mine["discard"] == [D] * debts
    assert after["debt_pool"] == before["debt_pool"] - debts
    assert after["bonus_pool"] == before["bonus_pool"] + hand.count(B)
    assert after["desks"][4] == before["desks"][4] + hand.count(4)


def test_cards_of_one_type_are_thrown_without_asking() -> None:
    game = play(game_of(3, mine={"location": 5, "hand": [6, D, 6, 6]}), "MOVE 0")
    assert phase(game) == (0, "PLAY_CARD")
    assert team(game, 0)["hand"] == [D, 6, 0]
    assert game.view()["desks"][6] == 7


def test_thrown_cards_return_to_their_desk_or_the_bonus_pool() -> None:
    game = game_of(3, mine={"location": 5, "hand": [2, B, 7]})
    before = game.view()
    play(game, "MOVE 1", "THROW 8", "THROW 2")
    assert game.view()["bonus_pool"] == before["bonus_pool"] + 1
    assert game.view()["desks"][2] == before["desks"][2] + 1


# ---- giving


@pytest.mark.parametrize(
    ("desk", "other", "asked"),
    [(3, 3, True), (3, 4, True), (4, 3, True), (0, 7, True), (7, 0, True), (3, 5, False), (7, 1, False), (0, 4, False)],
)
def test_a_card_is_given_on_the_same_desk_or_next_to_it_on_the_circle(desk: int, other: int, asked: bool) -> None:
    game = game_of(2, mine={"hand": [2, B, 3, 1]}, theirs={"location": other})
    play(game, f"MOVE {desk}")
    assert (phase(game) == (0, "GIVE_CARD")) == asked


def test_nothing_is_given_while_the_opponent_is_still_outside() -> None:
    for desk in range(8):
        game = play(game_of(2, mine={"hand": [2, B, 3, 1]}), f"MOVE {desk}")
        assert phase(game)[1] != "GIVE_CARD"


def test_gifts_are_the_distinct_types_in_hand_order() -> None:
    game = play(game_of(2, mine={"hand": [7, D, B, 7, 2]}, theirs={"location": 0}), "MOVE 1")
    assert actions(game) == ["GIVE 7", "GIVE 8", "GIVE 2", "RANDOM"]


def test_the_gift_lands_in_the_opponents_hand() -> None:
    game = game_of(2, mine={"hand": [7, D, B, 2]}, theirs={"location": 0, "hand": [D, D]})
    play(game, "MOVE 1", "GIVE 8")
    assert team(game, 1)["hand"] == [D, D, B]
    assert team(game, 0)["hand"] == [7, D, 2, 1]


@pytest.mark.parametrize("hand", [[D, 5, D], [B, D, B], [2, 2, 2]])
def test_one_card_or_one_type_is_given_without_asking(hand: list[int]) -> None:
    given = next(card for card in hand if card != D)
    game = play(game_of(2, mine={"hand": hand}, theirs={"location": 0, "hand": []}), "MOVE 0")
    assert phase(game)[1] != "GIVE_CARD"
    assert team(game, 1)["hand"] == [given]


def test_without_a_card_to_give_two_debts_go_to_the_own_discard() -> None:
    game = play(game_of(2, mine={"hand": [D, D]}, theirs={"location": 0}), "MOVE 0")
    assert team(game, 0)["discard"] == [D, D]
    assert team(game, 0)["hand"] == [D, D, 0]
    assert game.view()["debt_pool"] == 90


def test_the_throw_comes_before_the_gift_and_the_gift_before_the_card() -> None:
    game = play(game_of(3, mine={"location": 5, "hand": [2, B, 7, 6]}, theirs={"location": 2}), "MOVE 1")
    stages = [(phase(game)[1], team(game, 0)["hand"])]
    for answer in ("THROW 2", "THROW 7", "GIVE 6"):
        play(game, answer)
        stages.append((phase(game)[1], team(game, 0)["hand"]))
    assert stages == [
        ("THROW_CARD", [2, B, 7, 6]),
        ("THROW_CARD", [B, 7, 6]),
        ("GIVE_CARD", [B, 6]),
        ("PLAY_CARD", [B, 1]),
    ]


def test_what_the_throw_left_is_given_without_asking() -> None:
    game = play(game_of(3, mine={"location": 5, "hand": [2, B, 7]}, theirs={"location": 2, "hand": []}), "MOVE 1")
    play(game, "THROW 2", "THROW 7")
    assert phase(game) == (0, "PLAY_CARD")
    assert team(game, 1)["hand"] == [B]


def test_a_throw_that_empties_the_hand_leaves_debts_for_the_gift() -> None:
    game = play(game_of(3, mine={"location": 5, "hand": [2, D]}, theirs={"location": 2}), "MOVE 1")
    assert team(game, 0)["discard"] == [D, D, D]
    assert team(game, 0)["hand"] == [D, 1]


# ---- taking


def test_one_card_of_the_desk_moved_to_is_taken() -> None:
    game = play(game_of(3), "MOVE 4")
    assert team(game, 0)["hand"][-1] == 4
    assert game.view()["desks"] == [5, 5, 5, 5, 4, 5, 5, 5]


def test_an_empty_desk_gives_a_bonus_card() -> None:
    game = play(game_of(3, mine={"hand": [6, D]}, stock={4: 0}), "MOVE 4")
    assert team(game, 0)["hand"] == [6, D, B]
    assert game.view()["bonus_pool"] == 27


def test_an_empty_desk_and_an_empty_bonus_pool_give_nothing() -> None:
    game = game_of(3, mine={"hand": [0]}, stock={4: 0, B: 0})
    play(game, "MOVE 4")
    assert team(game, 0)["hand"] == [0]
    assert game.view()["desks"][4] == game.view()["bonus_pool"] == 0


def test_a_player_who_must_take_debt_takes_what_is_left() -> None:
    game = play(game_of(2, mine={"hand": [D]}, theirs={"location": 0}, stock={D: 1}), "MOVE 0")
    assert team(game, 0)["discard"] == [D]
    assert game.view()["debt_pool"] == 0


# ---- with DAILY_ROUTINE


def test_with_daily_routine_each_target_lists_its_shifts() -> None:
    one = actions(game_of(3, mine={"location": 0, "permanent": [2]}))
    assert one[:6] == ["MOVE 1 0", "MOVE 1", "MOVE 1 2", "MOVE 2 1", "MOVE 2", "MOVE 2 3"]
    assert one[-4:] == ["MOVE 7 6", "MOVE 7", "MOVE 7 0", "RANDOM"]
    assert len(one) == 7 * 3 + 1
    two = actions(game_of(3, mine={"location": 6, "permanent": [2, 4, 2]}))
    assert two[:5] == ["MOVE 7 5", "MOVE 7 6", "MOVE 7", "MOVE 7 0", "MOVE 7 1"]
    assert len(two) == 7 * 5 + 1


def test_with_four_daily_routines_the_far_desk_is_listed_from_both_sides() -> None:
    listed = actions(game_of(3, mine={"location": 0, "permanent": [2] * 4}))
    assert listed[:9] == [f"MOVE 1 {desk}" if desk != 1 else "MOVE 1" for desk in (5, 6, 7, 0, 1, 2, 3, 4, 5)]


def test_the_card_is_taken_from_the_second_desk() -> None:
    game = play(game_of(3, mine={"location": 0, "permanent": [2]}), "MOVE 7 0")
    assert team(game, 0)["hand"][-1] == 0
    assert team(game, 0)["location"] == 7


def test_a_second_desk_on_the_far_side_of_a_throw_and_a_gift_is_remembered() -> None:
    mine = {"location": 5, "permanent": [2], "hand": [2, B, 7, 6]}
    game = play(game_of(3, mine=mine, theirs={"location": 2}), "MOVE 1 2", "THROW 2", "THROW 7", "GIVE 6")
    assert team(game, 0)["hand"] == [B, 2]


def test_only_the_desk_moved_to_decides_about_gifts() -> None:
    game = game_of(3, mine={"location": 0, "permanent": [2], "hand": [2, B, 7]}, theirs={"location": 6})
    play(game, "MOVE 4 5")
    assert phase(game) == (0, "PLAY_CARD")
