"""The constants of the presets."""

from __future__ import annotations

import pytest

from arbiter.game import BadSetup, Chance
from protocols.heroes import protocol
from protocols.heroes.wire import tiles_of

from .table import arena, hero, new_game, ply

PLACE = """
    +--------+
    |[]@1@2  |
    |  $-    |
    |        |
    |@3    @4|
    +--------+
    """


def test_vindinium_a_drink_costs_two_gold_and_gives_fifty() -> None:
    game = arena(PLACE, preset="vindinium", gold={1: 2}, life={1: 30})
    assert ply(game, "West")[0] == "hero 1 drinks, life 80"
    assert (hero(game, 1).gold, hero(game, 1).life) == (0, 79)
    game = arena(PLACE, preset="vindinium", gold={1: 1}, life={1: 30})
    assert ply(game, "West") == ["hero 1 hits hero 2, life 80"]
    assert (hero(game, 1).gold, hero(game, 1).life) == (1, 29)


@pytest.mark.parametrize(("life", "after"), [(100, 79), (21, 1), (20, 99)])
def test_vindinium_a_mine_costs_twenty(life: int, after: int) -> None:
    game = arena(PLACE, preset="vindinium", life={1: life})
    ply(game, "South")
    assert hero(game, 1).life == after


@pytest.mark.parametrize(("life", "after"), [(100, 80), (21, 1), (20, 100)])
def test_vindinium_a_hit_costs_twenty(life: int, after: int) -> None:
    game = arena(PLACE, preset="vindinium", life={2: life})
    ply(game, "Stay")
    assert hero(game, 2).life == after


def test_vindinium_generated_maps_have_no_spikes() -> None:
    assert any("^^" in tiles_of(new_game(seed).position) for seed in range(5))
    assert not any("^^" in tiles_of(new_game(seed, preset="vindinium").position) for seed in range(30))


def test_vindinium_a_map_with_spikes_is_refused() -> None:
    with pytest.raises(BadSetup, match="row 6, column 10: this preset has no spikes"):
        protocol.setup(4, {"preset": "vindinium", "map": "seed"}, Chance(0))
    setup = protocol.setup(4, {"map": "seed"}, Chance(0))
    with pytest.raises(BadSetup, match="row 6, column 10: this preset has no spikes"):
        protocol.start(4, {"preset": "vindinium"}, setup, Chance(0))
