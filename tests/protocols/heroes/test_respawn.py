"""Respawning on an occupied cell, and its consequences."""

from __future__ import annotations

from .table import arena, arrange, drawn, hero, ply, tidy

STARTS = """
    +------------+
    |@1          |
    |  $-$-$-$-  |
    |          @2|
    |@4          |
    |  ^^        |
    |          @3|
    +------------+
    """


def test_respawn_place_is_the_hero_s_own_first_cell_however_often_it_dies() -> None:
    game = arena(STARTS)
    for deaths in (1, 2, 3):
        arrange(
            game,
            """
            +------------+
            |            |
            |  $-$-$-$-  |
            |          @2|
            |@4          |
            |@1^^        |
            |          @3|
            +------------+
            """,
        )
        hero(game, 1).life = 5
        assert ply(game, "East") == ["hero 1 dies on spikes"]
        assert drawn(game) == tidy(STARTS)
        assert hero(game, 1).deaths == deaths
        for _ in range(3):
            ply(game, "Stay")


def test_respawn_on_an_occupied_start_the_occupant_dies_and_its_mines_go_to_the_respawned_hero() -> None:
    """Hero 1 dies at a mine of hero 2, who stands on its start."""
    game = arena(
        STARTS,
        """
        +------------+
        |@2          |
        |@1$2$2$1$-  |
        |            |
        |@4          |
        |  ^^        |
        |          @3|
        +------------+
        """,
        life={1: 1, 2: 80},
        gold={2: 7},
    )
    assert ply(game, "East") == [
        "hero 1 dies at a mine and loses 1 mine",
        "hero 1 kills hero 2 by respawning there and takes 2 mines",
    ]
    assert drawn(game) == tidy(STARTS).replace("$-$-$-$-", "$1$1$-$-")
    assert (hero(game, 1).life, hero(game, 1).gold) == (99, 2)
    assert (hero(game, 2).life, hero(game, 2).gold, hero(game, 2).deaths) == (100, 7, 1)


def test_a_chain_of_respawns() -> None:
    """Hero 1 dies on spikes while 2 stands on its start, 3 on that of 2, and 4 on that of 3."""
    game = arena(
        STARTS,
        """
        +------------+
        |@2          |
        |  $1$2$3$4  |
        |          @3|
        |            |
        |@1^^        |
        |          @4|
        +------------+
        """,
        life={1: 10, 2: 90, 3: 91, 4: 92},
    )
    assert ply(game, "East") == [
        "hero 1 dies on spikes and loses 1 mine",
        "hero 1 kills hero 2 by respawning there and takes 1 mine",
        "hero 2 kills hero 3 by respawning there and takes 1 mine",
        "hero 3 kills hero 4 by respawning there and takes 1 mine",
    ]
    assert drawn(game) == tidy(STARTS).replace("$-$-$-$-", "$-$1$2$3")
    assert [each.life for each in game.position.heroes] == [99, 100, 100, 100]
    assert [each.gold for each in game.position.heroes] == [1, 0, 0, 0]
    assert [each.deaths for each in game.position.heroes] == [1, 1, 1, 1]
    assert [each.kills for each in game.position.heroes] == [1, 1, 1, 0]


def test_the_chain_can_hit_the_attacker() -> None:
    """Hero 1 kills hero 2 while standing on the start of hero 2: it loses everything, including what it just won."""
    game = arena(
        STARTS,
        """
        +------------+
        |            |
        |  $1$2$2$-  |
        |        @2@1|
        |@4          |
        |  ^^        |
        |          @3|
        +------------+
        """,
        life={1: 60, 2: 20},
    )
    assert ply(game, "Stay") == [
        "hero 1 kills hero 2 and takes 2 mines",
        "hero 2 kills hero 1 by respawning there and takes 3 mines",
    ]
    assert drawn(game) == tidy(STARTS).replace("$-$-$-$-", "$2$2$2$-")
    assert (hero(game, 1).life, hero(game, 1).gold, hero(game, 1).mines) == (99, 0, 0)
    assert (hero(game, 2).life, hero(game, 2).gold, hero(game, 2).mines) == (100, 0, 3)


def test_the_chain_can_hit_the_attacker_by_way_of_a_third() -> None:
    """Hero 2 respawns on hero 3, who respawns on hero 1, the attacker."""
    game = arena(
        STARTS,
        """
        +------------+
        |            |
        |  $1$2$3$-  |
        |          @3|
        |@4          |
        |  ^^        |
        |        @2@1|
        +------------+
        """,
        life={2: 20},
    )
    assert ply(game, "Stay") == [
        "hero 1 kills hero 2 and takes 1 mine",
        "hero 2 kills hero 3 by respawning there and takes 1 mine",
        "hero 3 kills hero 1 by respawning there and takes 2 mines",
    ]
    assert drawn(game) == tidy(STARTS).replace("$-$-$-$-", "$3$3$2$-")
    assert [each.life for each in game.position.heroes] == [99, 100, 100, 100]


def test_an_attacker_that_respawned_in_its_own_fight_stops_hitting() -> None:
    """North of hero 1 is hero 2, whose respawn kills it; hero 3 in the south is spared."""
    starts = """
        +--------+
        |@1      |
        |        |
        |  @2  @4|
        |      @3|
        +--------+
        """
    game = arena(
        starts,
        """
        +--------+
        |        |
        |  @2    |
        |  @1  @4|
        |  @3    |
        +--------+
        """,
        life={2: 1},
    )
    assert ply(game, "Stay") == ["hero 1 kills hero 2", "hero 2 kills hero 1 by respawning there"]
    assert hero(game, 3).life == 100


def test_respawned_this_ply_it_does_not_attack() -> None:
    """Hero 1 dies on spikes; hero 4 stands beside its start."""
    game = arena(
        STARTS,
        """
        +------------+
        |  @4        |
        |  $-$-$-$-  |
        |          @2|
        |            |
        |@1^^        |
        |          @3|
        +------------+
        """,
        life={1: 10},
    )
    assert ply(game, "East") == ["hero 1 dies on spikes"]
    assert hero(game, 4).life == 100


def test_respawned_this_ply_it_is_not_attacked() -> None:
    """Hero 2, killed in the north, respawns to the east of hero 1."""
    starts = """
        +--------+
        |@1    @3|
        |        |
        |    @2  |
        |      @4|
        +--------+
        """
    game = arena(
        starts,
        """
        +--------+
        |      @3|
        |  @2    |
        |  @1    |
        |      @4|
        +--------+
        """,
        life={2: 25},
    )
    assert ply(game, "Stay") == ["hero 1 kills hero 2"]
    assert drawn(game) == tidy("""
        +--------+
        |      @3|
        |        |
        |  @1@2  |
        |      @4|
        +--------+
        """)
    assert hero(game, 2).life == 100


def test_driven_out_by_a_respawn_it_is_not_attacked_either() -> None:
    """Hero 2 dies in the north and respawns on hero 3 in the east, who respawns in the south."""
    game = arena(
        """
        +--------+
        |@1      |
        |        |
        |    @2  |
        |  @3  @4|
        +--------+
        """,
        """
        +--------+
        |        |
        |  @2    |
        |  @1@3  |
        |      @4|
        +--------+
        """,
        life={2: 25},
    )
    assert ply(game, "Stay") == ["hero 1 kills hero 2", "hero 2 kills hero 3 by respawning there"]
    assert [each.life for each in game.position.heroes] == [99, 100, 100, 100]


def test_in_the_next_ply_it_attacks_and_is_attacked_again() -> None:
    game = arena(
        """
        +--------+
        |@1    @3|
        |        |
        |    @2  |
        |      @4|
        +--------+
        """,
        """
        +--------+
        |      @3|
        |  @2    |
        |  @1    |
        |      @4|
        +--------+
        """,
        life={2: 25},
    )
    ply(game, "Stay")
    assert ply(game, "Stay") == ["hero 2 hits hero 1, life 74"]
    ply(game, "Stay")
    ply(game, "Stay")
    assert ply(game, "Stay") == ["hero 1 hits hero 2, life 74"]


def test_a_hero_that_dies_on_its_own_start_kills_no_one() -> None:
    game = arena(STARTS.replace("|@4  ", "|@4^^"), mover=4, life={4: 1})
    assert ply(game, "East") == ["hero 4 dies on spikes"]
    assert (hero(game, 4).life, hero(game, 4).deaths, hero(game, 4).kills) == (99, 1, 0)
