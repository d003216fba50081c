"""What agents are sent, byte for byte."""

from __future__ import annotations

from .table import cells, drawn, new_map, start, turn

MAP = drawn("A.1B\n2.3.\nC..D", {0: [1, 2, 3], 2: [1]}, ["0 1 1 2", "1 1 1 1", "3 1 1 4"])


def test_first_block() -> None:
    game = start(MAP)
    assert game.briefing(1) == (
        "1\n4\n3\n"
        "0 0\n1 0\n1 1\n2 0\n"
        "1 2\n1 0\n1 3\n1 0\n"
        "3 0\n1 0\n1 0\n4 0\n"
        "4\n0 0 0 1,2,3\n1 3 0 x\n2 0 2 1\n3 3 2 x\n"
    )  # fmt: skip
    assert game.briefing(0) == "0" + game.briefing(1)[1:]


def test_first_turn() -> None:
    assert start(MAP).prompt(0) == "0\n0\n" + "-1 0 0 x\n" * 12


def test_scores_are_mine_then_the_others() -> None:
    game = start(drawn("A.B.\n....", {0: [1]}))
    turn(game, "WAIT", "PLACE_TRACKS 1 0")
    assert game.prompt(0).startswith("0\n1\n")
    assert game.prompt(1).startswith("1\n0\n")


def test_owners_are_absolute_and_cells_the_same_for_both() -> None:
    game = start(MAP)
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 1 1", "PLACE_TRACKS 1 2;PLACE_TRACKS 1 1")
    assert [cell.owner for cell in cells(game)] == [-1, 0, -1, -1, -1, 2, -1, -1, -1, 1, -1, -1]
    assert game.prompt(0).split("\n")[2:] == game.prompt(1).split("\n")[2:]


def test_a_turn_with_everything_in_it() -> None:
    game = start(drawn("A.B\n1..\n...", {0: [1]}), ink_threshold=2)
    turn(game, "PLACE_TRACKS 1 0;DISRUPT 5", "PLACE_TRACKS 1 1;DISRUPT 5")
    turn(game, "DISRUPT 6", "PLACE_TRACKS 2 2")
    assert game.prompt(1) == (
        "0\n2\n"
        "-1 0 0 0-1\n0 0 0 0-1\n-1 0 0 0-1\n"
        "-1 0 0 x\n1 0 0 x\n-1 2 1 x\n"
        "-1 1 0 x\n-1 0 0 x\n1 0 0 x\n"
    )  # fmt: skip


def test_connections_are_sorted_as_strings() -> None:
    picture = "A.B.C.D.E.F.G.H.I.J.K"
    game = start(drawn(picture, {0: [1], 2: [3], 10: [0, 2], 9: [0]} | {t: [0] for t in (4, 5, 6, 7, 8)}))
    for x in range(1, 20, 6):
        turn(game, ";".join(f"PLACE_TRACKS {x + dx} 0" for dx in (0, 2, 4)))
    assert cells(game)[0].connections == "0-1,10-0,4-0,5-0,6-0,7-0,8-0,9-0"
    assert cells(game)[5].connections == "10-0,10-2,2-3,4-0,5-0,6-0,7-0,8-0,9-0"


def test_connections_are_directed_and_town_cells_carry_them() -> None:
    game = start(drawn("A.B", {1: [0]}))
    turn(game, "PLACE_TRACKS 1 0")
    assert [cell.connections for cell in cells(game)] == ["1-0"] * 3


def test_the_largest_turn_has_602_lines() -> None:
    game = start(new_map(1, height=20))
    assert game.prompt(0).count("\n") == 602
    assert game.prompt(0).endswith("x\n")
    assert game.briefing(0).count("\n") == 3 + 600 + 1 + 12
