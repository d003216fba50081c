"""Thirst and gold at the end of every ply."""

from __future__ import annotations

import pytest

from .table import arena, hero, ply

PLAIN = """
    +--------+
    |@1    @2|
    |$1    $1|
    |^^    $2|
    |@3    @4|
    +--------+
    """


def test_thirst_takes_one_from_the_mover_only() -> None:
    game = arena(PLAIN)
    ply(game, "Stay")
    assert [each.life for each in game.position.heroes] == [99, 100, 100, 100]


@pytest.mark.parametrize(("life", "after"), [(2, 1), (1, 1)])
def test_thirst_leaves_one(life: int, after: int) -> None:
    game = arena(PLAIN, life={1: life})
    assert ply(game, "Stay") == []
    assert (hero(game, 1).life, hero(game, 1).deaths) == (after, 0)


def test_thirst_also_after_its_own_respawn() -> None:
    game = arena(PLAIN, mover=3, life={3: 10})
    assert ply(game, "North") == ["hero 3 dies on spikes"]
    assert hero(game, 3).life == 99


def test_gold_is_one_for_every_mine_of_the_mover() -> None:
    game = arena(PLAIN)
    for _ in range(4):
        ply(game, "Stay")
    assert [each.gold for each in game.position.heroes] == [2, 1, 0, 0]


def test_gold_comes_after_the_fight() -> None:
    game = arena(PLAIN, PLAIN.replace("@1    @2", "@1@2    "), life={2: 25})
    ply(game, "Stay")
    assert (hero(game, 1).gold, hero(game, 2).gold) == (3, 0)
