"""Hits and kills."""

from __future__ import annotations

import pytest

from .table import arena, drawn, hero, ply, tidy

STARTS = """
    +----------+
    |@2  []  @3|
    |    $-    |
    |^^        |
    |##        |
    |@4      @1|
    +----------+
    """


def test_every_orthogonal_neighbour_loses_25_and_the_attacker_is_unhurt() -> None:
    game = arena(
        STARTS,
        """
        +----------+
        |    []    |
        |    $-@2  |
        |^^  @4@1@3|
        |##        |
        |          |
        +----------+
        """,
    )
    assert ply(game, "Stay") == [
        "hero 1 hits hero 2, life 75",
        "hero 1 hits hero 3, life 75",
        "hero 1 hits hero 4, life 75",
    ]
    assert [each.life for each in game.position.heroes] == [99, 75, 75, 75]


def test_neighbours_are_hit_in_the_order_north_east_south_west() -> None:
    game = arena(
        STARTS,
        """
        +----------+
        |    []    |
        |    $-@4  |
        |^^  @3@1  |
        |##    @2  |
        |          |
        +----------+
        """,
    )
    assert [event.split()[4] for event in ply(game, "Stay")] == ["4,", "2,", "3,"]


def test_diagonal_neighbours_are_left_alone() -> None:
    game = arena(
        STARTS,
        """
        +----------+
        |    []    |
        |    $-  @2|
        |^^    @1  |
        |##  @3  @4|
        |          |
        +----------+
        """,
    )
    assert ply(game, "Stay") == []


def test_only_the_mover_attacks() -> None:
    game = arena(
        STARTS,
        """
        +----------+
        |@2  []@1@3|
        |    $-    |
        |^^        |
        |##        |
        |@4        |
        +----------+
        """,
        mover=2,
    )
    assert ply(game, "Stay") == []
    assert ply(game, "Stay") == ["hero 3 hits hero 1, life 75"]


@pytest.mark.parametrize(
    ("word", "first"), [("Stay", []), ("East", ["hero 1 drinks, life 75"]), ("North", []), ("South", [])]
)
def test_it_also_attacks_after_staying_drinking_and_being_blocked(word: str, first: list[str]) -> None:
    game = arena(
        STARTS,
        """
        +----------+
        |  @1[]  @3|
        |  @2$-    |
        |^^        |
        |##        |
        |@4        |
        +----------+
        """,
        gold={1: 1},
        life={1: 50},
    )
    assert ply(game, word) == [*first, "hero 1 hits hero 2, life 75"]


def test_it_also_attacks_after_moving() -> None:
    game = arena(
        STARTS,
        """
        +----------+
        |    []  @3|
        |  @2$-    |
        |^^  @1    |
        |##        |
        |@4        |
        +----------+
        """,
    )
    assert ply(game, "West") == ["hero 1 hits hero 2, life 75"]


def test_it_also_attacks_after_mining() -> None:
    game = arena(
        STARTS,
        """
        +----------+
        |    []  @3|
        |    $-@1  |
        |^^    @2  |
        |##        |
        |@4        |
        +----------+
        """,
    )
    assert ply(game, "West") == ["hero 1 captures a mine", "hero 1 hits hero 2, life 75"]


def test_with_26_life_a_hit_is_survived() -> None:
    game = arena(
        STARTS,
        """
        +----------+
        |    []  @3|
        |    $-@1  |
        |^^    @2  |
        |##        |
        |@4        |
        +----------+
        """,
        life={2: 26},
    )
    assert ply(game, "Stay") == ["hero 1 hits hero 2, life 1"]


MINES = """
    +----------+
    |@2      @3|
    |$-  $-    |
    |$-        |
    |          |
    |@4      @1|
    +----------+
    """


@pytest.mark.parametrize("life", [25, 24, 1])
def test_kill_the_mines_go_to_the_killer_and_the_victim_is_at_its_start_with_exactly_100(life: int) -> None:
    game = arena(
        MINES,
        """
        +----------+
        |        @3|
        |$2  $1    |
        |$2  @2@1  |
        |          |
        |@4        |
        +----------+
        """,
        life={2: life},
        gold={2: 9},
    )
    assert ply(game, "Stay") == ["hero 1 kills hero 2 and takes 2 mines"]
    assert drawn(game) == tidy("""
        +----------+
        |@2      @3|
        |$1  $1    |
        |$1    @1  |
        |          |
        |@4        |
        +----------+
        """)
    assert (hero(game, 2).life, hero(game, 2).gold, hero(game, 2).mines, hero(game, 2).deaths) == (100, 9, 0, 1)
    assert (hero(game, 1).kills, hero(game, 1).deaths) == (1, 0)


def test_mines_won_by_a_kill_pay_this_ply() -> None:
    game = arena(
        MINES,
        """
        +----------+
        |        @3|
        |$2  $1    |
        |$2  @2@1  |
        |          |
        |@4        |
        +----------+
        """,
        life={2: 25},
    )
    ply(game, "Stay")
    assert hero(game, 1).gold == 3


def test_three_may_die_in_one_ply() -> None:
    game = arena(
        MINES,
        """
        +----------+
        |          |
        |$2  $3@2  |
        |$4  @4@1@3|
        |          |
        |          |
        +----------+
        """,
        life={2: 1, 3: 25, 4: 13},
    )
    assert ply(game, "Stay") == [
        "hero 1 kills hero 2 and takes 1 mine",
        "hero 1 kills hero 3 and takes 1 mine",
        "hero 1 kills hero 4 and takes 1 mine",
    ]
    assert (hero(game, 1).gold, hero(game, 1).kills) == (3, 3)
    assert drawn(game) == tidy("""
        +----------+
        |@2      @3|
        |$1  $1    |
        |$1    @1  |
        |          |
        |@4        |
        +----------+
        """)
