"""AUTOPLACE: rulings on small maps, and cost and route compared with plain independent searches."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.rails.autoplace import Grid, unpaved_route
from protocols.rails.chart import neighbour_table

from .plain import cheapest_cost, site_autoplace
from .table import LINE, drawn, owners, start, turn

pytestmark = pytest.mark.slow

PRICES = st.sampled_from([-1, 0, 0, 1, 1, 1, 2, 3])


@st.composite
def problems(draw: st.DrawFn, widest: int, highest: int) -> tuple[int, int, list[int], int, int]:
    width, height = draw(st.integers(1, widest)), draw(st.integers(1, highest))
    prices = draw(st.lists(PRICES, min_size=width * height, max_size=width * height))
    spots = st.integers(0, width * height - 1)
    return width, height, prices, draw(spots), draw(spots)


def route(problem: tuple[int, int, list[int], int, int]) -> list[int] | None:
    width, height, prices, begin, goal = problem
    return unpaved_route(Grid(neighbour_table(width, height), width), prices, begin, goal)


@settings(max_examples=150, deadline=None)
@given(problems(14, 10))
def test_its_cost_is_that_of_a_plain_dijkstra(problem: tuple[int, int, list[int], int, int]) -> None:
    width, height, prices, begin, goal = problem
    neighbours = neighbour_table(width, height)
    paved = route(problem)
    expected = cheapest_cost(neighbours, prices, begin, goal)
    if paved is None or expected is None:
        assert expected is None or begin == goal
        return
    assert sum(prices[cell] for cell in paved) == expected
    after = [0 if cell in paved else price for cell, price in enumerate(prices)]
    assert cheapest_cost(neighbours, after, begin, goal) == 0, "both ends are connected by rail"


@settings(max_examples=500, deadline=None)
@given(problems(9, 7))
def test_its_route_is_the_one_the_site_finds(problem: tuple[int, int, list[int], int, int]) -> None:
    width, height, prices, begin, goal = problem
    spots = [(cell % width, cell // width) for cell in range(width * height)]
    expected = site_autoplace(dict(zip(spots, prices, strict=True)), spots[begin], spots[goal])
    assert [spots[cell] for cell in route(problem) or []] == expected


def placed(picture: str, order: str, *turns: tuple[str, str], wishes: dict[int, list[int]] | None = None) -> str:
    game = start(drawn(picture, wishes or {0: [1]}), ink_threshold=1)
    for first, second in turns:
        turn(game, first, second)
    turn(game, order)
    return owners(game)


def test_it_takes_the_cheapest_path_in_paint_not_the_shortest() -> None:
    assert placed("A22B\n....", "AUTOPLACE 0 0 3 0") == "....000."


def test_existing_rail_of_any_owner_is_free() -> None:
    before = ("PLACE_TRACKS 0 1;PLACE_TRACKS 1 1", "PLACE_TRACKS 2 1;PLACE_TRACKS 1 1")
    assert placed("A..\n...\n..B", "AUTOPLACE 0 0 2 2", before) == "...021...", "linked by rails of all three owners"
    assert placed("A....\n.....\n....B", "AUTOPLACE 0 0 4 2", before) == ".....02100....."


def test_inked_cells_are_barred() -> None:
    assert placed("A.B\n...", "AUTOPLACE 0 0 2 0", ("DISRUPT 1 0", "WAIT")) == "...000"


def test_ink_all_around_leaves_nothing_to_do() -> None:
    assert placed("A.B..C", "AUTOPLACE 0 0 2 0", ("DISRUPT 1 0", "WAIT"), wishes={0: [1], 1: [2]}) == "......"


@pytest.mark.parametrize("order", ["AUTOPLACE 1 0 2 0", "AUTOPLACE 2 0 1 0", "AUTOPLACE 1 0 1 0"])
def test_from_or_to_an_inked_cell_does_nothing(order: str) -> None:
    assert placed("A...B\n.....", order, ("DISRUPT 1 0", "WAIT")) == "." * 10


def test_an_unpaved_start_is_paved_too() -> None:
    assert placed("A...B", "AUTOPLACE 1 0 2 0") == ".00.."


def test_one_cell_to_itself_is_paved() -> None:
    assert placed("A...B", "AUTOPLACE 2 0 2 0") == "..0.."


def test_towns_are_free() -> None:
    assert placed("A.C.B\n.....", "AUTOPLACE 0 0 4 0", wishes={0: [1], 2: [0]}) == ".0.0......"


@pytest.mark.parametrize("order", ["AUTOPLACE 0 0 5 0", "AUTOPLACE 0 1 4 0", "AUTOPLACE 0 0 4 99999999999999999999"])
def test_off_grid_coordinates_do_nothing(order: str) -> None:
    game = start(LINE)
    turn(game, order)
    assert owners(game) == "....."
    assert game.result() is None, "and they are not a fault"


def test_an_existing_link_does_nothing() -> None:
    game = start(drawn("A...B\n.....", {0: [1]}))
    turn(game, "AUTOPLACE 0 0 4 0")
    turn(game, "WAIT", "AUTOPLACE 0 0 4 0;PLACE_TRACKS 0 1")
    assert owners(game) == ".000.1...."


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("AUTOPLACE 0 2 2 0", ["..0", "..0", "000"]),
        ("AUTOPLACE 0 0 2 2", ["0..", "0..", "000"]),
        ("AUTOPLACE 2 0 0 2", ["000", "0..", "0.."]),
        ("AUTOPLACE 2 2 0 0", ["000", "..0", "..0"]),
    ],
)
def test_ties_are_broken_as_on_the_site(order: str, expected: list[str]) -> None:
    laid = placed("....A\n.....\n....B", order, (order, "WAIT"))
    assert [laid[row : row + 3] for row in (0, 5, 10)] == expected


def test_the_plan_ignores_the_budget() -> None:
    picture = "A2B\n...\n..."
    assert placed(picture, "AUTOPLACE 0 0 2 0") == ".0.......", (
        "over the mountain: as cheap as round it, and east first"
    )
    dearer = placed(picture, "PLACE_TRACKS 0 2;AUTOPLACE 0 0 2 0")
    assert dearer == "......0..", "with two paint left it is still over the mountain, and nothing of it is laid"
