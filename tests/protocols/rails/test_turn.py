"""The stages of a turn, in the order of the rulebook."""

from __future__ import annotations

import pytest

from arbiter.game import Game, Json

from .table import LINE, cells, drawn, owners, scores, start, turn

FIELD = drawn("A....\n.....\n....B", {0: [1]})

RING = """
    .....
    .A.B.
    .....
"""
SMALL = {"ink_threshold": 1}
Turns = list[tuple[str, str]]

PLACED: dict[str, tuple[Json, dict[str, int], Turns, str]] = {
    # The route goes below: the track on the river was not there when it was planned.
    "AUTOPLACE is expanded on the board as it was at the start of the turn": (
        drawn("A12B\n....", {0: [1]}), {}, [("PLACE_TRACKS 1 0;AUTOPLACE 0 0 3 0", "")], ".0..0..."
    ),
    "AUTOPLACE of both seats sees the same board": (LINE, {}, [("AUTOPLACE 0 0 4 0", "AUTOPLACE 0 0 4 0")], ".222."),
    "only the first AUTOPLACE of a line counts": (
        FIELD, {}, [("AUTOPLACE 1 0 1 0;AUTOPLACE 3 0 3 0;AUTOPLACE 3 1 3 1;PLACE_TRACKS 2 0", "")], ".00"
    ),
    "AUTOPLACE stands where it is written": (
        FIELD, {}, [("PLACE_TRACKS 0 2;AUTOPLACE 1 0 3 0;PLACE_TRACKS 1 2", "")], ".00.......0"
    ),
    "a cell claimed twice by the same seat is paid once": (
        FIELD, {}, [("PLACE_TRACKS 1 0;PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0", "")], ".000"
    ),
    "placements go against the board at the start of the turn": (
        FIELD, {}, [("PLACE_TRACKS 1 0", "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0")], ".21"
    ),
    "a dear cell is skipped and a cheap one after it still laid": (
        drawn("A.2.B", {0: [1]}), {}, [("PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0", "")], ".0.0"
    ),
    # (1, 0) is laid, (2, 0) is impossible, (3, 0) dropped though affordable.
    "an impossible step of AUTOPLACE drops the rest of it": (
        FIELD, {}, [("PLACE_TRACKS 2 0;AUTOPLACE 1 0 4 0", "")], ".00"
    ),
    "orders after a dropped AUTOPLACE still run": (
        FIELD, {}, [("PLACE_TRACKS 2 0;AUTOPLACE 1 0 4 0;PLACE_TRACKS 0 2", "")], ".00.......0"
    ),
    "an unaffordable step drops cheaper ones behind it": (
        drawn("A.2.B", {0: [1]}), {}, [("AUTOPLACE 0 0 4 0", "")], ".0"
    ),
    "tracks laid in the turn of the inking vanish too": (FIELD, SMALL, [("PLACE_TRACKS 1 0", "DISRUPT 1")], ""),
    "nothing can be built in an inked region": (FIELD, SMALL, [("DISRUPT 1", ""), ("PLACE_TRACKS 1 0", "")], ""),
}  # fmt: skip
SCORED: dict[str, tuple[Json, dict[str, int], Turns, tuple[int, int]]] = {
    "each owned track on a connection": (LINE, {}, [("PLACE_TRACKS 1 0;PLACE_TRACKS 2 0", "PLACE_TRACKS 3 0")], (2, 1)),
    "in every turn": (LINE, {}, [("PLACE_TRACKS 1 0;PLACE_TRACKS 2 0", "PLACE_TRACKS 3 0"), ("", "")], (4, 2)),
    "after inking": (LINE, SMALL, [("AUTOPLACE 0 0 4 0", "DISRUPT 2")], (0, 0)),
    "not neutral tracks and towns": (LINE, {}, [("AUTOPLACE 0 0 4 0", "PLACE_TRACKS 2 0")], (2, 0)),
    "a track on k paths k times": (
        drawn("A..\n...\nB.C", {0: [1, 2]}), {}, [("PLACE_TRACKS 0 1", "PLACE_TRACKS 1 2")], (2, 1)
    ),
    "only the shortest path": (
        drawn(RING, {0: [1]}), {},
        [("PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;PLACE_TRACKS 3 0", "PLACE_TRACKS 2 1")], (0, 1),
    ),
}  # fmt: skip


def after(field: Json, options: dict[str, int], turns: Turns) -> Game:
    """Play these turns, in which a seat may wait."""
    game = start(field, **options)
    for first, second in turns:
        turn(game, first or "WAIT", second or "WAIT")
    return game


@pytest.mark.parametrize("case", PLACED)
def test_tracks_are_placed(case: str) -> None:
    *played, expected = PLACED[case]
    found = owners(after(*played))
    assert found == expected.ljust(len(found), ".")


@pytest.mark.parametrize("case", SCORED)
def test_points_are_given(case: str) -> None:
    *played, expected = SCORED[case]
    assert scores(after(*played)) == expected


# 1. AUTOPLACE is expanded


def test_further_autoplaces_are_ignored_with_a_warning() -> None:
    game = start(FIELD)
    turn(game, "AUTOPLACE 1 0 1 0;AUTOPLACE 3 0 3 0")
    assert "seat 0: AUTOPLACE 3 0 3 0 is skipped: only the first AUTOPLACE of a line counts" in game.display().events()


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


def test_a_region_is_inked_once_only() -> None:
    game = start(FIELD, ink_threshold=1)
    turn(game, "DISRUPT 1")
    assert list(game.display().events()) == ["region 1 is inked out, no track lost"]
    turn(game)
    assert list(game.display().events()) == []


# 6. scoring


def test_other_towns_may_be_crossed() -> None:
    game = start(drawn("A.C.B", {0: [1], 2: [0]}))
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 3 0")
    assert cells(game)[2].connections == "0-1,2-0"
    assert scores(game) == (2 + 1, 0)


def test_a_wish_goes_one_way_and_pays_once() -> None:
    game = start(drawn("A.B", {1: [0]}))
    turn(game, "PLACE_TRACKS 1 0")
    assert scores(game) == (1, 0)
    assert cells(game)[1].connections == "1-0"


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
