"""Moves, and moves that are blocked."""

from __future__ import annotations

import pytest

from .table import arena, drawn, hero, ply, tidy

CROSS = """
    +----------+
    |@2      @3|
    |    ##    |
    |  ##@1    |
    |          |
    |        @4|
    +----------+
    """


def test_a_free_cell_is_entered() -> None:
    game = arena(CROSS)
    assert ply(game, "South") == []
    assert drawn(game) == tidy("""
        +----------+
        |@2      @3|
        |    ##    |
        |  ##      |
        |    @1    |
        |        @4|
        +----------+
        """)
    assert hero(game, 1).life == 99


@pytest.mark.parametrize(
    ("direction", "row", "column"), [("North", 0, 1), ("East", 1, 2), ("South", 2, 1), ("West", 1, 0), ("Stay", 1, 1)]
)
def test_north_is_up_and_east_is_right(direction: str, row: int, column: int) -> None:
    game = arena("""
        +----------+
        |          |
        |  @1      |
        |          |
        |        @2|
        |    @3  @4|
        +----------+
        """)
    ply(game, direction)
    assert divmod(hero(game, 1).cell, 5) == (row, column)


@pytest.mark.parametrize("direction", ["North", "West"])
def test_target_is_wood_nothing_happens(direction: str) -> None:
    game = arena(CROSS)
    before = drawn(game)
    assert ply(game, direction) == []
    assert drawn(game) == before
    assert (hero(game, 1).life, hero(game, 1).gold) == (99, 0)


@pytest.mark.parametrize(("mover", "direction"), [(2, "North"), (2, "West"), (3, "East"), (4, "South"), (4, "East")])
def test_target_is_outside_nothing_happens(mover: int, direction: str) -> None:
    game = arena(CROSS, mover=mover)
    before = drawn(game)
    assert ply(game, direction) == []
    assert drawn(game) == before


def test_moving_into_a_hero_moves_neither_and_the_fight_is_the_usual_one() -> None:
    game = arena("""
        +--------+
        |@1@2    |
        |        |
        |        |
        |@3    @4|
        +--------+
        """)
    before = drawn(game)
    assert ply(game, "East") == ["hero 1 hits hero 2, life 75"]
    assert drawn(game) == before
    assert hero(game, 1).life == 99


def test_bumping_into_a_hero_on_spikes_costs_nothing() -> None:
    game = arena(
        """
        +--------+
        |@1^^  @2|
        |        |
        |        |
        |@3    @4|
        +--------+
        """,
        """
        +--------+
        |@1@2    |
        |        |
        |        |
        |@3    @4|
        +--------+
        """,
        life={1: 10},
    )
    assert ply(game, "East") == ["hero 1 hits hero 2, life 75"]
    assert (hero(game, 1).life, hero(game, 1).deaths) == (9, 0)


def test_the_direction_is_noted_even_if_it_leads_nowhere() -> None:
    game = arena(CROSS)
    assert hero(game, 1).last_direction == ""
    ply(game, "North")
    assert hero(game, 1).last_direction == "North"
    for _ in range(3):
        ply(game, "Stay")
    ply(game, "Stay")
    assert hero(game, 1).last_direction == "Stay"


def test_plies_go_in_the_order_one_two_three_four_for_ever() -> None:
    game = arena(CROSS)
    seats = []
    for _ in range(9):
        seats.append(game.to_move())
        ply(game, "Stay")
    assert seats == [(0,), (1,), (2,), (3,), (0,), (1,), (2,), (3,), (0,)]
