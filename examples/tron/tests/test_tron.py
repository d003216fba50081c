"""Tron keeps the contract of the arbiter, and riders crash when the guide says so."""

import pytest
from tron import Tron, protocol

from arbiter.game import IllegalMove
from arbiter.testing import conformance

test_conformance = conformance(protocol)


def game(*starts: tuple[int, int]) -> Tron:
    return Tron(len(starts), {"width": 8, "height": 6, "starts": [list(start) for start in starts]})


def crashed(table: Tron) -> list[int | None]:
    return [rider.crashed for rider in table.grid.riders]


def test_riders_that_meet_in_a_cell_both_crash_and_draw() -> None:
    table = game((1, 1), (3, 1))
    table.play({0: "RIGHT", 1: "LEFT"})
    result = table.result()
    assert result is not None
    assert (crashed(table), result.ranks) == ([1, 1], (1, 1))
    assert table.display().events() == ["seat 0 crashes", "seat 1 crashes"]


def test_riders_cannot_swap_places() -> None:
    table = game((1, 1), (2, 1))
    table.play({0: "RIGHT", 1: "LEFT"})
    assert crashed(table) == [1, 1]


@pytest.mark.parametrize("way", ["UP", "LEFT"])
def test_the_edge_is_a_wall(way: str) -> None:
    table = game((0, 0), (5, 5))
    table.play({0: way, 1: "UP"})
    result = table.result()
    assert result is not None
    assert (crashed(table), result.ranks, result.reason) == ([1, None], (2, 1), "seat 1 is the last one riding")


def test_walls_stay_after_a_crash_and_the_crashed_are_not_asked() -> None:
    table = game((0, 0), (3, 3), (6, 5))
    table.play({0: "DOWN", 1: "UP", 2: "UP"})
    table.play({0: "LEFT", 1: "UP", 2: "LEFT"})
    assert (list(table.to_move()), crashed(table)) == ([1, 2], [2, None, None])
    assert [row[0] for row in table.view()["walls"][:3]] == ["0", "0", "."]


def test_a_rider_that_does_not_steer_crashes_and_later_crashes_rank_higher() -> None:
    table = game((0, 0), (3, 3), (6, 5))
    table.play({0: "CRASH", 1: "UP", 2: "UP"})
    table.play({1: "DOWN", 2: "UP"})
    result = table.result()
    assert result is not None
    assert (result.ranks, result.scores) == ((3, 2, 1), (1, 2, 3))


@pytest.mark.parametrize("answer", ["CRASH", "NORTH", "", "UP DOWN"])
def test_other_words_are_refused(answer: str) -> None:
    with pytest.raises(IllegalMove):
        game((0, 0), (3, 3)).read(0, answer)


def test_starts_are_symmetrical() -> None:
    from arbiter.game import Chance

    for seed in range(20):
        setup = protocol.setup(4, {}, Chance(seed, "setup"))
        (x, y), (right, below), *others = setup["starts"]
        assert (x + right, y + below) == (setup["width"] - 1, setup["height"] - 1)
        assert others == [[right, y], [x, below]]
