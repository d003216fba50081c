"""AUTOPLACE: rulings on small maps, and cost and route compared with plain independent searches."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.protocols.rails.autoplace import cheapest_route
from arbiter.protocols.rails.chart import neighbour_table

from .plain import all_routes, cheapest_cost, directions
from .table import LINE, drawn, owners, start, turn

PRICES = st.sampled_from([-1, 0, 0, 1, 1, 1, 2, 3])


@st.composite
def problems(draw: st.DrawFn, widest: int, highest: int) -> tuple[int, int, list[int], int, int]:
    width, height = draw(st.integers(1, widest)), draw(st.integers(1, highest))
    prices = draw(st.lists(PRICES, min_size=width * height, max_size=width * height))
    spots = st.integers(0, width * height - 1)
    return width, height, prices, draw(spots), draw(spots)


@settings(max_examples=300, deadline=None)
@given(problems(14, 10))
def test_its_cost_is_that_of_a_plain_dijkstra(problem: tuple[int, int, list[int], int, int]) -> None:
    width, height, prices, begin, goal = problem
    neighbours = neighbour_table(width, height)
    route = cheapest_route(neighbours, prices, begin, goal)
    expected = cheapest_cost(neighbours, prices, begin, goal)
    if route is None:
        assert expected is None
        return
    assert sum(prices[cell] for cell in route) == expected
    assert (route[0], route[-1], len(set(route))) == (begin, goal, len(route))
    assert all(after in neighbours[before] for before, after in pairwise(route))


@settings(max_examples=400, deadline=None)
@given(problems(4, 4))
def test_its_path_is_the_first_of_all_cheapest_ones(problem: tuple[int, int, list[int], int, int]) -> None:
    width, height, prices, begin, goal = problem
    every = list(all_routes(width, height, prices, begin, goal))
    best = min(every, key=lambda way: (sum(prices[cell] for cell in way), directions(way, width)), default=None)
    assert cheapest_route(neighbour_table(width, height), prices, begin, goal) == best


def test_a_way_over_free_cells_first_in_order_is_not_overlooked() -> None:
    prices = [0, 0, 1,
              0, 1, 1]  # fmt: skip
    assert cheapest_route(neighbour_table(3, 2), prices, 3, 5) == [3, 0, 1, 2, 5], "north first, at the same cost"


def test_a_dead_end_of_free_cells_does_not_lead_it_astray() -> None:
    prices = [0, 0, -1,
              0, 1, 1]  # fmt: skip
    assert cheapest_route(neighbour_table(3, 2), prices, 3, 5) == [3, 0, 1, 4, 5]
    prices[1] = -1
    assert cheapest_route(neighbour_table(3, 2), prices, 3, 5) == [3, 4, 5]


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
    assert game.result() is None, "and they are no fault"


def test_an_existing_link_does_nothing() -> None:
    game = start(drawn("A...B\n.....", {0: [1]}))
    turn(game, "AUTOPLACE 0 0 4 0")
    turn(game, "WAIT", "AUTOPLACE 0 0 4 0;PLACE_TRACKS 0 1")
    assert owners(game) == ".000.1...."


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("AUTOPLACE 0 2 2 0", ["000", "0..", "0.."]),
        ("AUTOPLACE 0 0 2 2", ["000", "..0", "..0"]),
        ("AUTOPLACE 2 0 0 2", ["..0", "..0", "000"]),
        ("AUTOPLACE 2 2 0 0", ["000", "..0", "..0"]),
    ],
)
def test_ties_go_to_the_earliest_step_north_then_east_then_south_then_west(order: str, expected: list[str]) -> None:
    laid = placed("....A\n.....\n....B", order, (order, "WAIT"))
    assert [laid[row : row + 3] for row in (0, 5, 10)] == expected


def test_the_plan_ignores_the_budget() -> None:
    picture = "A2B\n...\n..."
    assert placed(picture, "AUTOPLACE 0 0 2 0") == ".0.......", (
        "over the mountain: as cheap as round it, and east first"
    )
    dearer = placed(picture, "PLACE_TRACKS 0 2;AUTOPLACE 0 0 2 0")
    assert dearer == "......0..", "with two paint left it is still over the mountain, and nothing of it is laid"
