"""The exact input of a phase."""

from __future__ import annotations

from tests.protocols.green_circle.positions import B, D, game_of, play


def test_there_is_no_initial_block() -> None:
    assert game_of(2).briefing(0) == ""
    assert game_of(2).briefing(1) == ""


def test_the_first_prompt_byte_for_byte() -> None:
    assert game_of(2).prompt(0) == (
        "MOVE\n"
        "12\n"
        "APPLICATION 0 0 0 0 2 2 0 2 0\n"
        "APPLICATION 1 0 2 0 0 2 0 0 2\n"
        "APPLICATION 2 0 0 2 0 0 0 2 2\n"
        "APPLICATION 3 0 2 2 2 0 0 0 0\n"
        "APPLICATION 4 0 2 0 2 0 0 0 2\n"
        "APPLICATION 5 0 0 2 2 0 2 0 0\n"
        "APPLICATION 6 4 0 0 0 0 0 0 4\n"
        "APPLICATION 7 0 4 4 0 0 0 0 0\n"
        "APPLICATION 8 0 4 0 4 0 0 0 0\n"
        "APPLICATION 9 0 4 0 0 4 0 0 0\n"
        "APPLICATION 10 0 4 0 0 0 4 0 0\n"
        "APPLICATION 11 0 4 0 0 0 0 4 0\n"
        "-1 0 0 0\n"
        "-1 0 0 0\n"
        "3\n"
        "HAND 0 0 0 0 0 0 0 0 2 2\n"
        "DRAW 0 0 0 0 0 0 0 0 2 2\n"
        "OPPONENT_CARDS 0 0 0 0 0 0 0 0 4 4\n"
        "9\n"
        "MOVE 0\nMOVE 1\nMOVE 2\nMOVE 3\nMOVE 4\nMOVE 5\nMOVE 6\nMOVE 7\n"
        "RANDOM\n"
    )


def locations(prompt: str) -> list[str]:
    names = ("HAND", "DRAW", "DISCARD", "PLAYED_CARDS", "AUTOMATED", "OPPONENT_CARDS", "OPPONENT_AUTOMATED")
    lines = prompt.splitlines()
    found = [line.split()[0] for line in lines if line.split()[0] in names]
    first = next(number for number, line in enumerate(lines) if line.split()[0] in names)
    assert int(lines[first - 1]) == len(found)
    return found


def test_card_lines_come_in_their_order() -> None:
    mine = {"hand": [1, 6, 6], "draw": [D, D], "discard": [B], "automated": [4]}
    game = play(game_of(3, mine=mine, theirs={"automated": [5]}), "MOVE 0", "CODING")
    assert locations(game.prompt(0)) == [
        "HAND", "DRAW", "DISCARD", "PLAYED_CARDS", "AUTOMATED", "OPPONENT_CARDS", "OPPONENT_AUTOMATED",
    ]  # fmt: skip


def test_card_lines_appear_only_for_piles_that_are_not_empty_and_always_for_the_opponent() -> None:
    nothing: dict[str, list[int]] = {"hand": [], "draw": []}
    assert locations(game_of(3, mine=nothing, theirs=nothing).prompt(0)) == ["OPPONENT_CARDS"]
    assert locations(game_of(3, mine={"draw": []}).prompt(0)) == ["HAND", "OPPONENT_CARDS"]


def test_played_cards_are_those_of_this_turn_without_permanent_ones() -> None:
    game = play(game_of(3, mine={"hand": [1, 4, 6, 6], "draw": [D] * 6}), "MOVE 0", "CODING", "ARCHITECTURE_STUDY")
    assert "PLAYED_CARDS 0 1 0 0 0 0 0 0 0 0\n" in game.prompt(0)
    assert "\n0 0 0 1\n" in game.prompt(0)


def test_automated_cards_are_shown_to_both() -> None:
    game = play(game_of(3, mine={"hand": [5, B, 6, 6, 6]}), "MOVE 0", "CONTINUOUS_INTEGRATION 8")
    assert "AUTOMATED 0 0 0 0 0 0 0 0 1 0\n" in game.prompt(0)
    play(game, "WAIT")
    assert "OPPONENT_AUTOMATED 0 0 0 0 0 0 0 0 1 0\n" in game.prompt(1)


def test_own_data_comes_first_with_active_permanent_cards() -> None:
    mine = {"location": 3, "score": 2, "permanent": [4, 2, 4]}
    theirs = {"location": 6, "score": 1, "permanent": [2]}
    prompt = game_of(3, mine=mine, theirs=theirs).prompt(0)
    assert "\n3 2 1 2\n6 1 1 0\n" in prompt


def test_opponent_cards_are_hand_draw_and_discard_without_permanent_ones() -> None:
    theirs = {"hand": [0, D], "draw": [1, 1], "discard": [B], "permanent": [4], "automated": [5]}
    prompt = game_of(3, theirs=theirs).prompt(0)
    assert "\nOPPONENT_CARDS 1 2 0 0 0 0 0 0 1 1\n" in prompt


def test_the_phase_is_the_first_line() -> None:
    mine = {"location": 5, "hand": [2, B, 7, 6, 6, 6]}
    game = game_of(3, mine=mine, theirs={"location": 2})
    seen = [game.prompt(0).splitlines()[0]]
    for answer in ("MOVE 1", "THROW 2", "THROW 7", "GIVE 8", "CODE_REVIEW"):
        play(game, answer)
        seen.append(game.prompt(0).splitlines()[0])
    assert seen == ["MOVE", "THROW_CARD", "THROW_CARD", "GIVE_CARD", "PLAY_CARD", "RELEASE"]
