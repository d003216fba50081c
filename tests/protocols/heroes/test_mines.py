"""Taking mines."""

from __future__ import annotations

import pytest

from .table import arena, drawn, hero, ply, tidy

PIT = """
    +--------+
    |$-@1  @2|
    |$1    $3|
    |        |
    |  @3  @4|
    +--------+
    """


def test_a_neutral_mine_costs_twenty_five_life_and_the_hero_stays_where_it_is() -> None:
    game = arena(PIT)
    assert ply(game, "West") == ["hero 1 captures a mine"]
    assert (hero(game, 1).life, hero(game, 1).mines) == (74, 2)
    assert drawn(game) == tidy(PIT).replace("$-", "$1")


def test_a_captured_mine_pays_already_this_ply() -> None:
    game = arena(PIT.replace("$1", "##"))
    ply(game, "West")
    assert hero(game, 1).gold == 1


def test_a_mine_of_another_hero_changes_hands() -> None:
    game = arena(PIT, mover=2)
    assert ply(game, "South") == ["hero 2 captures a mine of hero 3"]
    assert (hero(game, 2).mines, hero(game, 3).mines) == (1, 0)
    assert (hero(game, 2).life, hero(game, 2).gold) == (74, 1)


def test_an_own_mine_costs_nothing() -> None:
    game = arena(PIT.replace("$-", "$1"), life={1: 20})
    before = drawn(game)
    assert ply(game, "West") == []
    assert (hero(game, 1).life, hero(game, 1).gold) == (19, 2)
    assert drawn(game) == before


def test_with_twenty_six_life_it_is_taken() -> None:
    game = arena(PIT, life={1: 26})
    assert ply(game, "West") == ["hero 1 captures a mine"]
    assert hero(game, 1).life == 1


@pytest.mark.parametrize("life", [25, 24, 1])
def test_mine_with_life_of_25_or_less_the_hero_dies_and_its_own_mines_turn_neutral(life: int) -> None:
    game = arena(
        PIT,
        """
        +--------+
        |$-    @2|
        |$1  @1$3|
        |        |
        |  @3  @4|
        +--------+
        """,
        life={1: life},
    )
    assert ply(game, "East") == ["hero 1 dies at a mine and loses 1 mine"]
    assert drawn(game) == tidy("""
        +--------+
        |$-@1  @2|
        |$-    $3|
        |        |
        |  @3  @4|
        +--------+
        """)
    assert (hero(game, 1).mines, hero(game, 1).gold, hero(game, 1).deaths) == (0, 0, 1)


def test_it_respawns_with_100_then_thirst_makes_that_99() -> None:
    game = arena(PIT, life={1: 25})
    ply(game, "West")
    assert hero(game, 1).life == 99


def test_the_attacked_mine_keeps_its_owner_or_stays_neutral() -> None:
    game = arena(PIT, life={1: 25, 2: 25})
    ply(game, "West")
    assert game.position.owners[0] == 0
    ply(game, "South")
    assert game.position.owners[7] == 3
    assert (hero(game, 3).mines, hero(game, 3).kills) == (1, 0)


def test_gold_already_earned_is_kept_in_death() -> None:
    game = arena(PIT, life={1: 5}, gold={1: 17})
    ply(game, "West")
    assert hero(game, 1).gold == 17
