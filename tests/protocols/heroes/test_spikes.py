"""Spikes."""

from __future__ import annotations

import pytest

from protocols.heroes.game import HeroesGame

from .table import arena, drawn, hero, ply, tidy

FIELD = """
    +--------+
    |@1^^^^@2|
    |$1      |
    |        |
    |  @3  @4|
    +--------+
    """


def the_others_stay(game: HeroesGame) -> None:
    for _ in range(3):
        ply(game, "Stay")


def test_stepping_on_spikes_costs_ten_and_hides_them() -> None:
    game = arena(FIELD)
    assert ply(game, "East") == []
    assert hero(game, 1).life == 89
    assert drawn(game) == tidy("""
        +--------+
        |  @1^^@2|
        |$1      |
        |        |
        |  @3  @4|
        +--------+
        """)


def test_staying_on_them_is_free_and_leaving_shows_them_again() -> None:
    game = arena(FIELD)
    ply(game, "East")
    the_others_stay(game)
    ply(game, "Stay")
    assert hero(game, 1).life == 88
    the_others_stay(game)
    ply(game, "West")
    assert hero(game, 1).life == 87
    assert drawn(game) == tidy(FIELD)


def test_being_blocked_on_them_is_free() -> None:
    game = arena(FIELD)
    ply(game, "East")
    the_others_stay(game)
    ply(game, "North")
    assert hero(game, 1).life == 88


def test_spike_to_spike_costs_again() -> None:
    game = arena(FIELD)
    ply(game, "East")
    the_others_stay(game)
    ply(game, "East")
    assert hero(game, 1).life == 78
    assert hero(game, 2).life == 74


def test_with_eleven_life_it_enters() -> None:
    game = arena(FIELD, life={1: 11})
    assert ply(game, "East") == []
    assert hero(game, 1).life == 1
    assert divmod(hero(game, 1).cell, 4) == (0, 1)


@pytest.mark.parametrize("life", [10, 9, 1])
def test_spikes_with_life_of_10_or_less_it_dies_the_same_way_and_does_not_enter(life: int) -> None:
    game = arena(
        FIELD,
        """
        +--------+
        |  ^^^^@2|
        |$1@1    |
        |        |
        |  @3  @4|
        +--------+
        """,
        life={1: life},
        gold={1: 4},
    )
    assert ply(game, "North") == ["hero 1 dies on spikes and loses 1 mine"]
    assert drawn(game) == tidy(FIELD).replace("$1", "$-")
    assert (hero(game, 1).life, hero(game, 1).gold, hero(game, 1).deaths) == (99, 4, 1)
