"""The stages of a turn, in the order of the rulebook."""

from __future__ import annotations

import pytest

from .table import LINE, cells, drawn, owners, scores, start, turn

FIELD = drawn("A....\n.....\n....B", {0: [1]})


# 1. AUTOPLACE is expanded


def test_autoplace_is_expanded_on_the_board_as_it_was_at_the_start_of_the_turn() -> None:
    game = start(drawn("A12B\n....", {0: [1]}))
    turn(game, "PLACE_TRACKS 1 0;AUTOPLACE 0 0 3 0")
    assert owners(game) == ".0..0...", "the route goes below: the track on the river was not there when it was planned"


def test_autoplace_of_both_seats_sees_the_same_board() -> None:
    game = start(LINE)
    turn(game, "AUTOPLACE 0 0 4 0", "AUTOPLACE 0 0 4 0")
    assert owners(game) == ".222."


def test_only_the_first_autoplace_of_a_line_counts() -> None:
    game = start(FIELD)
    turn(game, "AUTOPLACE 1 0 1 0;AUTOPLACE 3 0 3 0;AUTOPLACE 3 1 3 1;PLACE_TRACKS 2 0")
    assert owners(game) == ".00.." + "." * 10


def test_further_autoplaces_are_ignored_with_a_warning() -> None:
    game = start(FIELD)
    turn(game, "AUTOPLACE 1 0 1 0;AUTOPLACE 3 0 3 0")
    assert "seat 0: AUTOPLACE 3 0 3 0 is skipped: only the first AUTOPLACE of a line counts" in game.display().events()


def test_autoplace_stands_where_it_is_written() -> None:
    game = start(FIELD)
    turn(game, "PLACE_TRACKS 0 2;AUTOPLACE 1 0 3 0;PLACE_TRACKS 1 2")
    assert owners(game) == ".00.......0...."


# 2. placements


@pytest.mark.parametrize(
    ("impossible", "why"),
    [
        ("PLACE_TRACKS 5 0", "off the map"),
        ("PLACE_TRACKS 0 3", "off the map"),
        ("PLACE_TRACKS 99999999999999999999 0", "off the map"),
        ("PLACE_TRACKS 0 0", "a town stands there"),
        ("PLACE_TRACKS 1 1", "there is a track already"),
        ("PLACE_TRACKS 3 1", "its region is inked out"),
        ("PLACE_TRACKS 2 2", "not enough paint left"),
    ],
)
def test_an_impossible_place_tracks_is_skipped_and_later_ones_still_run(impossible: str, why: str) -> None:
    game = start(drawn("A....\n.....\n..2.B", {0: [1]}), ink_threshold=1)
    turn(game, "PLACE_TRACKS 1 1", "DISRUPT 3 1")
    turn(game, f"PLACE_TRACKS 1 0;{impossible};PLACE_TRACKS 2 0")
    assert owners(game) == ".00...0........"
    assert any(event.startswith("seat 0: PLACE_TRACKS") and event.endswith(why) for event in game.display().events())


def test_a_cell_claimed_twice_by_the_same_seat_is_paid_once() -> None:
    game = start(FIELD)
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0")
    assert owners(game)[:5] == ".000."


def test_placements_go_against_the_board_at_the_start_of_the_turn() -> None:
    game = start(FIELD)
    turn(game, "PLACE_TRACKS 1 0", "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0")
    assert owners(game)[:5] == ".21..", "seat 1 is not stopped by the track seat 0 lays this very turn"


def test_a_dear_cell_is_skipped_and_a_cheap_one_after_it_still_laid() -> None:
    game = start(drawn("A.2.B", {0: [1]}))
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0")
    assert owners(game) == ".0.0."


def test_an_impossible_step_of_an_autoplace_drops_the_rest_of_it() -> None:
    game = start(FIELD)
    turn(game, "PLACE_TRACKS 2 0;AUTOPLACE 1 0 4 0")
    assert owners(game)[:5] == ".00..", "(1, 0) is laid, (2, 0) is impossible, (3, 0) dropped though affordable"


def test_orders_after_a_dropped_autoplace_still_run() -> None:
    game = start(FIELD)
    turn(game, "PLACE_TRACKS 2 0;AUTOPLACE 1 0 4 0;PLACE_TRACKS 0 2")
    assert owners(game) == ".00.......0...."


def test_an_unaffordable_step_drops_cheaper_steps_behind_it() -> None:
    game = start(drawn("A.2.B", {0: [1]}))
    turn(game, "AUTOPLACE 0 0 4 0")
    assert owners(game) == ".0..."


# 3. both on one cell


def test_a_cell_that_both_claimed_is_neutral_and_both_pay() -> None:
    game = start(drawn("A2...\n.....\n....B", {0: [1]}))
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0", "PLACE_TRACKS 1 0;PLACE_TRACKS 3 0")
    assert owners(game)[:5] == ".2..."
    assert "both lay (1, 0): a neutral track" in game.display().events()


# 4. disruption


@pytest.mark.parametrize("wasted", ["DISRUPT 99", "DISRUPT 9 9", "DISRUPT 0", "DISRUPT 0 0", "DISRUPT 2 0"])
def test_an_impossible_disrupt_is_skipped_and_the_point_not_spent(wasted: str) -> None:
    game = start(FIELD, ink_threshold=1)
    turn(game, "DISRUPT 2 0")
    turn(game, f"{wasted};DISRUPT 3 0")
    assert [cell.instability for cell in cells(game)[:5]] == [0, 0, 1, 1, 0]


def test_disrupt_by_cell_means_its_region() -> None:
    game = start(drawn("A...B", {0: [1]}, ["0 1 1 1 2"]))
    turn(game, "DISRUPT 3 0")
    assert [cell.instability for cell in cells(game)] == [0, 1, 1, 1, 0]


def test_both_on_one_region_add_two() -> None:
    game = start(LINE)
    turn(game, "DISRUPT 2", "DISRUPT 2 0")
    assert cells(game)[2].instability == 2


def test_both_may_push_a_region_beyond_the_threshold() -> None:
    game = start(FIELD, ink_threshold=1)
    turn(game, "DISRUPT 2", "DISRUPT 2")
    assert (cells(game)[2].instability, cells(game)[2].inked) == (2, 1)


# 5. inking


def test_inking_makes_the_tracks_of_a_region_vanish() -> None:
    game = start(drawn("A...B\n.....", {0: [1]}, ["0 1 1 2 3", "4 4 4 4 4"]), ink_threshold=1)
    turn(game, "AUTOPLACE 1 0 3 0")
    turn(game, "DISRUPT 1")
    assert owners(game) == "...0......"
    assert "region 1 is inked out, 2 tracks lost" in game.display().events()


def test_tracks_laid_in_the_turn_of_the_inking_vanish_too() -> None:
    game = start(FIELD, ink_threshold=1)
    turn(game, "PLACE_TRACKS 1 0", "DISRUPT 1")
    assert owners(game) == "." * 15


def test_a_region_is_inked_once_only() -> None:
    game = start(FIELD, ink_threshold=1)
    turn(game, "DISRUPT 1")
    assert list(game.display().events()) == ["region 1 is inked out, no track lost"]
    turn(game)
    assert list(game.display().events()) == []


def test_nothing_can_be_built_in_an_inked_region_again() -> None:
    game = start(FIELD, ink_threshold=1)
    turn(game, "DISRUPT 1")
    turn(game, "PLACE_TRACKS 1 0")
    assert owners(game) == "." * 15


# 6. scoring


def test_each_owned_track_on_a_connection_gives_its_owner_a_point_every_turn() -> None:
    game = start(LINE)
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0", "PLACE_TRACKS 3 0")
    assert scores(game) == (2, 1)
    turn(game)
    assert scores(game) == (4, 2)


def test_scoring_comes_after_inking() -> None:
    game = start(LINE, ink_threshold=1)
    turn(game, "AUTOPLACE 0 0 4 0", "DISRUPT 2")
    assert scores(game) == (0, 0)


def test_neutral_tracks_and_towns_give_nothing() -> None:
    game = start(LINE)
    turn(game, "AUTOPLACE 0 0 4 0", "PLACE_TRACKS 2 0")
    assert scores(game) == (2, 0)


def test_other_towns_may_be_crossed() -> None:
    game = start(drawn("A.C.B", {0: [1], 2: [0]}))
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 3 0")
    assert cells(game)[2].connections == "0-1,2-0"
    assert scores(game) == (2 + 1, 0)


def test_a_track_on_k_paths_scores_k() -> None:
    game = start(drawn("A..\n...\nB.C", {0: [1, 2]}))
    turn(game, "PLACE_TRACKS 0 1", "PLACE_TRACKS 1 2")
    assert scores(game) == (2, 1)


def test_a_wish_goes_one_way_and_pays_once() -> None:
    game = start(drawn("A.B", {1: [0]}))
    turn(game, "PLACE_TRACKS 1 0")
    assert scores(game) == (1, 0)
    assert cells(game)[1].connections == "1-0"


RING = """
    .....
    .A.B.
    .....
"""


def test_only_the_shortest_path_counts() -> None:
    game = start(drawn(RING, {0: [1]}))
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0", "PLACE_TRACKS 2 1")
    assert scores(game) == (0, 1)


@pytest.mark.parametrize(
    ("rows", "first", "second"),
    [
        (".....\nA...B\n.....", [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)], [(0, 2), (1, 2), (2, 2), (3, 2), (4, 2)]),
        (".....\nB...A\n.....", [(4, 0), (3, 0), (2, 0), (1, 0), (0, 0)], [(4, 2), (3, 2), (2, 2), (1, 2), (0, 2)]),
        ("A..\n...\n..B", [(1, 0), (2, 0), (2, 1)], [(0, 1), (0, 2), (1, 2)]),
        ("..A\n...\nB..", [(2, 1), (2, 2), (1, 2)], [(1, 0), (0, 0), (0, 1)]),
        ("..B\n...\nA..", [(0, 1), (0, 0), (1, 0)], [(1, 2), (2, 2), (2, 1)]),
        ("B..\n...\n..A", [(2, 1), (2, 0), (1, 0)], [(1, 2), (0, 2), (0, 1)]),
    ],
)
def test_equal_paths_prefer_north_east_south_west_from_the_wishing_town(
    rows: str, first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    game = start(drawn(rows, {0: [1]}))
    while len(first) > 0 or len(second) > 0:
        now, first = first[:3], first[3:]
        other, second = second[:3], second[3:]
        before = scores(game)
        turn(
            game, ";".join(f"PLACE_TRACKS {x} {y}" for x, y in now), ";".join(f"PLACE_TRACKS {x} {y}" for x, y in other)
        )
    after = scores(game)
    assert after[0] > before[0]
    assert after[1] == before[1], "both ways are open and equally long: only the preferred one pays"


# 7. what is shown


def test_connections_are_refreshed_when_opened_rerouted_and_broken() -> None:
    game = start(drawn(RING, {0: [1]}), ink_threshold=1)
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0")
    assert [cell.connections for cell in cells(game)] == ["x", *["0-1"] * 3, "x", "x", "0-1", "x", "0-1", *["x"] * 6]
    turn(game, "PLACE_TRACKS 2 1")
    assert [cell.connections for cell in cells(game)] == [*["x"] * 6, *["0-1"] * 3, *["x"] * 6]
    turn(game, "DISRUPT 2 1;", "DISRUPT 2 0")
    assert {cell.connections for cell in cells(game)} == {"x"}
    assert "no longer connected: 0-1" in game.display().events()
