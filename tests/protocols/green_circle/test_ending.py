"""The end of a turn, reshuffles, and the end of the game."""

from __future__ import annotations

from collections import Counter

import pytest

from arbiter.game import Fault, FaultKind, Result
from protocols.green_circle.game import GreenCircleGame
from tests.protocols.green_circle.positions import B, D, game_of, phase, play, team

STUCK = {"hand": [D] * 4, "draw": [D] * 20}
"""A team that is only asked to MOVE, as long as it avoids the other team and desks with cards."""


def ended(game: GreenCircleGame) -> Result:
    result = game.result()
    assert result is not None
    assert game.to_move() == ()
    return result


def test_hand_and_played_cards_go_to_the_discard_and_the_next_hand_is_drawn_at_once() -> None:
    mine = {"hand": [6, D, 1], "draw": [7, 6, 5, 4, 3, 2, 1, 0]}
    game = play(game_of(3, mine=mine, stock={5: 0, B: 0}), "MOVE 5", "CODING", "CODE_REVIEW", "WAIT")
    assert phase(game) == (1, "MOVE")
    assert team(game, 0)["discard"] == [D, 0, 1, 6]
    assert team(game, 0)["hand"] == [1, 2, 3, 4]
    assert team(game, 0)["played"] == []
    assert "OPPONENT_CARDS 1 2 1 1 1 1 2 1 0 1\n" in game.prompt(1)


def test_an_empty_draw_pile_takes_in_the_shuffled_discard() -> None:
    mine = {"hand": [D, 2], "draw": [7], "discard": [3, 4, 5]}
    game = play(game_of(1, mine=mine, stock={5: 0, B: 0}), "MOVE 5")
    after = team(game, 0)
    assert after["hand"][0] == 7
    assert Counter(after["hand"] + after["draw"]) == Counter([7, 3, 4, 5, D, 2])
    assert after["discard"] == []
    assert "seat 0 reshuffles its 5 discarded cards" in game.display().events()


def test_cards_played_this_turn_stay_out_of_a_reshuffle() -> None:
    mine = {"hand": [0, 0, D], "draw": [], "discard": [7, 7]}
    game = play(game_of(3, mine=mine, stock={5: 0, B: 0}), "MOVE 5", "TRAINING")
    assert team(game, 0)["hand"] == [0, D, 7, 7]
    play(game, "TRAINING")
    assert team(game, 0)["draw"] == []
    assert team(game, 0)["played"] == [0, 0]


def test_with_nothing_left_to_draw_the_hand_stays_short() -> None:
    game = play(game_of(1, mine={"hand": [D, D], "draw": []}, stock={5: 0, B: 0}), "MOVE 5")
    assert team(game, 0)["hand"] == [D, D]
    assert team(game, 0)["draw"] == team(game, 0)["discard"] == []


def test_a_card_given_by_the_opponent_comes_on_top_of_the_next_hand() -> None:
    game = game_of(2, mine={"hand": [B, D, B, B], "location": 6}, theirs={"location": 1})
    play(game, "MOVE 0")
    assert len(team(game, 1)["hand"]) == 5


def winning(seat: int, *, other: int = 0) -> GreenCircleGame:
    """Return a game of level 1 in which this seat has four releases and the hand for application 0 (3, 4 and 6)."""
    ready = {"score": 4, "hand": [3, 4, 6, D]}
    teams = [{**STUCK, "score": other}, {**STUCK, "score": other}]
    teams[seat] = {**ready, "draw": [D] * 20}
    return game_of(1, mine=teams[0], theirs=teams[1], stock={5: 0, B: 0, 0: 0})


def test_the_fifth_release_of_seat_0_gives_seat_1_its_last_turn() -> None:
    game = play(winning(0), "MOVE 5", "RELEASE 0")
    assert game.result() is None
    assert phase(game) == (1, "MOVE")
    play(game, "MOVE 0")
    assert ended(game).ranks == (1, 2)
    assert ended(game).scores == (5, 0)
    assert ended(game).reason == "seat 0 released 5 applications"


def test_the_fifth_release_of_seat_1_ends_the_game_at_once() -> None:
    game = play(winning(1), "MOVE 5", "MOVE 0", "RELEASE 0")
    assert ended(game).ranks == (2, 1)
    assert ended(game).reason == "seat 1 released 5 applications"


def test_seat_1_can_draw_level_in_its_last_turn() -> None:
    game = game_of(
        1,
        mine={"score": 4, "hand": [3, 4, 6, D], "draw": [D] * 20},
        theirs={"score": 4, "hand": [1, 4, 7], "draw": [D] * 3},
        stock={5: 0, B: 0, 0: 0},
    )
    play(game, "MOVE 5", "RELEASE 0", "MOVE 0", "RELEASE 1")
    assert ended(game).scores == (5, 5)
    assert ended(game).ranks == (2, 1)
    assert ended(game).reason == "both seats released 5 applications; equal releases, less technical debt wins"


def test_the_game_ends_after_200_phases_of_both_together() -> None:
    game = game_of(1, mine=STUCK, theirs=STUCK, stock=dict.fromkeys(range(9), 0))
    for number in range(200):
        assert game.result() is None
        play(game, f"MOVE {number // 2 % 8}")
    assert ended(game).reason.startswith("all 200 phases are played")
    assert ended(game).data["phases"] == 200


def test_the_number_of_phases_is_an_option_and_can_cut_a_turn_short() -> None:
    game = play(game_of(3, mine={"hand": [6, 6, 6, 6], "score": 1}, max_phases=1), "MOVE 0")
    assert phase(game) == (0, "PLAY_CARD")
    assert ended(game).reason == "all 1 phases are played"
    assert ended(game).ranks == (1, 2)


def test_more_releases_win_whatever_the_debt() -> None:
    teams = {"mine": {**STUCK, "score": 1}, "theirs": {"hand": [B] * 4, "draw": []}}
    game = play(game_of(1, **teams, max_phases=1), "MOVE 5")  # type: ignore[arg-type]
    assert ended(game).ranks == (1, 2)


def test_equal_releases_are_decided_by_debt_in_hand_draw_and_discard() -> None:
    mine = {"hand": [D, D, B], "draw": [], "discard": [D]}
    theirs = {"hand": [D], "draw": [D, B], "discard": [D, D]}
    game = play(game_of(1, mine=mine, theirs=theirs, stock={5: 0, B: 0}, max_phases=1), "MOVE 5")
    assert ended(game).data["technical_debt"] == [3, 4]
    assert ended(game).ranks == (1, 2)


def test_equal_releases_and_equal_debt_are_a_draw() -> None:
    game = play(game_of(1, max_phases=1), "MOVE 5")
    assert ended(game).data["technical_debt"] == [4, 4]
    assert ended(game).ranks == (1, 1)
    assert ended(game).reason == "all 1 phases are played; equal releases"


@pytest.mark.parametrize("seat", [0, 1])
def test_any_fault_is_defeat_at_once(seat: int) -> None:
    for kind in FaultKind:
        game = game_of(1, mine={**STUCK, "score": 3}, theirs={**STUCK, "score": 3}, stock={5: 0, B: 0})
        if seat == 1:
            play(game, "MOVE 5")
        before = game.view()
        move = game.fallback(seat, Fault(kind, "any detail"))
        assert game.display().describe(seat, move) == f"loses at once ({kind})"
        game.play({seat: move})
        assert ended(game).ranks == ((2, 1) if seat == 0 else (1, 2))
        assert ended(game).scores == (3, 3)
        assert ended(game).reason == f"seat {seat} is defeated: {kind}"
        assert game.view()["defeated"] == seat
        assert game.view()["teams"] == before["teams"]


def test_random_is_a_uniform_choice_among_the_distinct_other_actions() -> None:
    picks: Counter[str] = Counter()
    for seed in range(3000):
        game = game_of(3, mine={"hand": [6, 7, D]}, stock={5: 0, B: 0}, seed=seed)
        play(game, "MOVE 5", "RANDOM")
        picks[game.display().events()[0].split(":")[0]] += 1
    assert set(picks) == {"chance picks CODE_REVIEW", "chance picks REFACTORING", "chance picks WAIT"}
    assert all(850 < count < 1150 for count in picks.values())


def test_random_is_drawn_from_the_recorded_chance() -> None:
    game = game_of(2, seed=4)
    chance = game._office.chance
    chance.take()
    assert game.read(0, "RANDOM").text == "RANDOM"
    assert chance.take() == []
    play(game, "RANDOM")
    (drawn, *_) = chance.take()
    assert team(game, 0)["location"] == drawn


def test_random_counts_a_desk_listed_from_both_sides_once() -> None:
    game = game_of(3, mine={"location": 0, "permanent": [2] * 4})
    listed = game.view()["actions"]
    assert listed.count("MOVE 1 5") == 2
    bounds = []
    game._office.chance.below = lambda n: bounds.append(n) or 0  # type: ignore[method-assign,func-returns-value]
    play(game, "RANDOM")
    assert bounds[0] == len(set(listed)) - 1 == 7 * 8
