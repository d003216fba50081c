"""Parsing answers: the action, the message after it, and refusals."""

from __future__ import annotations

import pytest

from arbiter.game import GarbledMove, IllegalMove, Move
from protocols.green_circle.game import GreenCircleGame
from tests.protocols.green_circle.fuzz import is_one_short_line, reason_for_refusing
from tests.protocols.green_circle.positions import B, D, game_of, play, team


def moving(routines: int = 0) -> GreenCircleGame:
    return game_of(3, mine={"location": 3, "permanent": [2] * routines})


def playing() -> GreenCircleGame:
    return play(game_of(3, mine={"hand": [6, 3, B, D]}), "MOVE 5")


def releasing() -> GreenCircleGame:
    return play(game_of(1, mine={"hand": [3, 4, 6]}), "MOVE 5")


def test_the_listed_actions_are_read_as_they_stand() -> None:
    for game in (moving(), moving(2), playing(), releasing()):
        for action in game.view()["actions"]:
            assert game.read(0, action) == Move(action)


@pytest.mark.parametrize(
    ("answer", "text", "message"),
    [
        ("MOVE 5 hello there", "MOVE 5", "hello there"),
        ("MOVE 5 5 s600", "MOVE 5", "5 s600"),
        ("MOVE 5 4", "MOVE 5", "4"),
        ("MOVE 5   spaced  out ", "MOVE 5", "spaced  out"),
        ("MOVE 5\ttabbed", "MOVE 5", "tabbed"),
        ("MOVE 5 ", "MOVE 5", ""),
        ("MOVE 5\r", "MOVE 5", ""),
        ("MOVE 05", "MOVE 5", ""),
        ("MOVE 5 \x1b[31mred\x1b[0m", "MOVE 5", "\x1b[31mred\x1b[0m"),
        ("RANDOM got no idea...", "RANDOM", "got no idea..."),
        ("RANDOM 5", "RANDOM", "5"),
    ],
)
def test_text_after_the_action_is_the_message(answer: str, text: str, message: str) -> None:
    assert moving().read(0, answer) == Move(text, message)


@pytest.mark.parametrize(
    ("answer", "text", "message"),
    [
        ("MOVE 5 4", "MOVE 5 4", ""),
        ("MOVE 5 6 s600", "MOVE 5 6", "s600"),
        ("MOVE 0 7 over the end", "MOVE 0 7", "over the end"),
        ("MOVE 7 0", "MOVE 7 0", ""),
        ("MOVE 5 5 s600", "MOVE 5", "s600"),
        ("MOVE 5 05", "MOVE 5", ""),
        ("MOVE 5 3 too far", "MOVE 5", "3 too far"),
        ("MOVE 5 8 no desk", "MOVE 5", "8 no desk"),
        ("MOVE 5  4", "MOVE 5", "4"),
        ("MOVE 5 4x", "MOVE 5", "4x"),
    ],
)
def test_a_second_desk_counts_only_where_it_is_a_legal_one(answer: str, text: str, message: str) -> None:
    assert moving(1).read(0, answer) == Move(text, message)


def test_messages_behind_every_kind_of_action() -> None:
    game = playing()
    assert game.read(0, "CODE_REVIEW looks good") == Move("CODE_REVIEW", "looks good")
    assert game.read(0, "TASK_PRIORITIZATION 8 1 2 3") == Move("TASK_PRIORITIZATION 8 1", "2 3")
    assert game.read(0, "WAIT nothing to do...") == Move("WAIT", "nothing to do...")
    assert releasing().read(0, "RELEASE 0 at last") == Move("RELEASE 0", "at last")
    giving = play(game_of(2, mine={"hand": [B, 1, D]}, theirs={"location": 0}), "MOVE 0")
    assert giving.read(0, "GIVE 8 a gift for you!") == Move("GIVE 8", "a gift for you!")
    throwing = play(game_of(3, mine={"hand": [B, 1, 2], "location": 4}), "MOVE 0")
    assert throwing.read(0, "THROW 2 away") == Move("THROW 2", "away")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("\r", "empty"),
        (" MOVE 5", "starts with a blank"),
        ("\tMOVE 5", "starts with a blank"),
        ("move 5", "upper case"),
        ("Random", "upper case"),
        ("MOVE  5", "after single blanks"),
        ("MOVE\t5", "after single blanks"),
        ("MOVE", "needs a number"),
        ("MOVE x", "needs a number"),
        ("MOVE 5x", "needs a number"),
        ("MOVE -1", "needs a number"),
        ("MOVE +5", "needs a number"),
        ("MOVE ٥", "needs a number"),
        ("MOVE 5\u00a0hi", "needs a number"),
        ("MOVE5", "unknown action 'MOVE5'"),
        ("RANDOM!", "unknown action 'RANDOM!'"),
        ("MOVE\x005", r"unknown action 'MOVE\\x005'"),
        ("TASK_PRIORITIZATION 8", "needs 2 numbers"),
        ("TASK_PRIORITIZATION 8  1", "needs 2 numbers"),
        ("CONTINUOUS_INTEGRATION", "needs a number"),
        ("BONUS", "unknown action 'BONUS'"),
        ("defeat late", "unknown action 'defeat'"),
    ],
)
def test_unparsable_answers_are_garbled(answer: str, reason: str) -> None:
    for game in (moving(), playing()):
        with pytest.raises(GarbledMove, match=reason):
            game.read(0, answer)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("MOVE 3", "already on desk '3'"),
        ("MOVE 8", "unknown desk '8'"),
        ("MOVE 123456", "unknown desk '123456'"),
        ("WAIT", "'WAIT' is not an answer to MOVE"),
        ("CODE_REVIEW", "'CODE_REVIEW' is not an answer to MOVE"),
        ("GIVE 8", "'GIVE 8' is not an answer to MOVE"),
        ("THROW 8", "'THROW 8' is not an answer to MOVE"),
        ("RELEASE 0", "'RELEASE 0' is not an answer to MOVE"),
    ],
)
def test_illegal_answers_to_move(answer: str, reason: str) -> None:
    refused(moving(), answer, reason)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("CODING", "no 'CODING' card in hand"),
        ("TASK_PRIORITIZATION 1 2", "no CODING card .'1'. in hand to return"),
        ("TASK_PRIORITIZATION 3 2", "no TASK_PRIORITIZATION card .'3'. in hand to return"),
        ("TASK_PRIORITIZATION 9 2", "technical debt card .'9'. is not a valid card"),
        ("TASK_PRIORITIZATION 10 2", "unknown card type '10'"),
        ("TASK_PRIORITIZATION 8 9", "only types 0 to 8 can be taken, not '9'"),
        ("CONTINUOUS_INTEGRATION 5", "no CONTINUOUS_INTEGRATION card .'5'. in hand to automate"),
        ("CONTINUOUS_INTEGRATION 9", "technical debt card .'9'. is not a valid card"),
        ("MOVE 1", "'MOVE 1' is not an answer to PLAY_CARD"),
    ],
)
def test_illegal_answers_to_play_card(answer: str, reason: str) -> None:
    refused(playing(), answer, reason)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("RELEASE 2", "application '2' lacks 6 skills, more than"),
        ("RELEASE 27", "application '27' is not available"),
        ("RELEASE 4294967296", "application '4294967296' is not available"),
    ],
)
def test_illegal_answers_to_release(answer: str, reason: str) -> None:
    refused(play(game_of(1, mine={"hand": [3, D]}), "MOVE 4"), answer, reason)


def test_illegal_answers_to_give_and_throw() -> None:
    giving = play(game_of(2, mine={"hand": [B, 1, D]}, theirs={"location": 0}), "MOVE 0")
    refused(giving, "GIVE 9", "technical debt card .'9'. is not a valid card to give")
    refused(giving, "GIVE 0", "no TRAINING card .'0'. in hand to give")
    refused(giving, "THROW 8", "'THROW 8' is not an answer to GIVE_CARD")
    throwing = play(game_of(3, mine={"hand": [B, 1, 2], "location": 4}), "MOVE 0")
    refused(throwing, "THROW 0", "no TRAINING card .'0'. in hand to throw")
    refused(throwing, "WAIT", "an action must be chosen")


def test_a_skill_that_the_level_does_not_offer_is_played_all_the_same() -> None:
    game = play(game_of(2, mine={"hand": [1, 6, B, D]}), "MOVE 5")
    assert "CODING" not in game.view()["actions"]
    play(game, "CODING", "CODE_REVIEW")
    assert team(game, 0)["played"] == [1, 6]


def test_with_strict_skills_it_is_illegal_and_the_reason_names_the_level() -> None:
    game = play(game_of(2, mine={"hand": [1, 6, B, D]}, strict_skills=True), "MOVE 5")
    refused(game, "CODING", "'CODING' cannot be played with strict_skills; it is not offered at level 2: .* level 4")


def test_a_skill_that_is_neither_offered_nor_in_hand_names_the_level() -> None:
    game = play(game_of(2, mine={"hand": [6, 6, B, D]}, stock={5: 0}), "MOVE 5")
    refused(game, "DAILY_ROUTINE", "no 'DAILY_ROUTINE' card in hand to play; it is not offered at level 2")
    refused(game, "CONTINUOUS_INTEGRATION 9", "no 'CONTINUOUS_INTEGRATION' card in hand to play; it is not offered")


@pytest.mark.parametrize("answer", ["CONTINUOUS_INTEGRATION 9", "CONTINUOUS_INTEGRATION 0", "TASK_PRIORITIZATION 9 9"])
def test_an_unlisted_skill_still_needs_the_cards_it_is_about(answer: str) -> None:
    game = play(game_of(2, mine={"hand": [3, 5, 6, D]}, stock={5: 0, B: 0}), "MOVE 5")
    with pytest.raises(IllegalMove):
        game.read(0, answer)


def test_an_answer_to_a_phase_that_simple_levels_lack_says_so() -> None:
    throwing = play(game_of(3, mine={"hand": [B, 1, 2], "location": 4}), "MOVE 0")
    refused(throwing, "MOVE 1", "'MOVE 1' is not an answer to THROW_CARD; this phase exists from level 3 on")


def refused(game: GreenCircleGame, answer: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason) as caught:
        game.read(0, answer)
    assert type(caught.value) is IllegalMove


@pytest.mark.parametrize(
    "answer",
    [
        "MOVE " + "9" * 65536,
        "MOVE 5 " + "1" * 65536,
        "X" * 65536,
        " " * 65536,
        "MOVE 5" + " \x00" * 30000,
        "MOVE 5 5 " * 7000,
    ],
)
def test_huge_answers_are_read_or_refused_in_one_short_line(answer: str) -> None:
    for game in (moving(), moving(5), playing(), releasing()):
        reason = reason_for_refusing(game, 0, answer)
        assert reason is None or is_one_short_line(reason)
