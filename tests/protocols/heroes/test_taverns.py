"""Drinks."""

from __future__ import annotations

import pytest

from .table import arena, drawn, hero, ply

INN = """
    +--------+
    |[]@1    |
    |$-      |
    |        |
    |@2  @3@4|
    +--------+
    """


@pytest.mark.parametrize(("life", "after"), [(30, 54), (75, 99), (76, 99), (1, 25)])
def test_a_drink_costs_one_gold_and_gives_twenty_five_life_up_to_a_hundred(life: int, after: int) -> None:
    game = arena(INN, life={1: life}, gold={1: 3})
    before = drawn(game)
    assert ply(game, "West") == [f"hero 1 drinks, life {after + 1}"]
    assert (hero(game, 1).life, hero(game, 1).gold) == (after, 2)
    assert drawn(game) == before


def test_without_gold_nothing_happens() -> None:
    game = arena(INN, life={1: 30})
    assert ply(game, "West") == []
    assert (hero(game, 1).life, hero(game, 1).gold) == (29, 0)


def test_at_full_life_it_still_pays() -> None:
    game = arena(INN, gold={1: 1})
    assert ply(game, "West") == ["hero 1 drinks, life 100"]
    assert (hero(game, 1).life, hero(game, 1).gold) == (99, 0)


def test_gold_of_this_ply_comes_too_late_for_this_drink() -> None:
    game = arena(INN.replace("$-", "$1"), life={1: 30})
    assert ply(game, "West") == []
    assert (hero(game, 1).life, hero(game, 1).gold) == (29, 1)
    for _ in range(3):
        ply(game, "Stay")
    ply(game, "West")
    assert (hero(game, 1).life, hero(game, 1).gold) == (53, 1)
