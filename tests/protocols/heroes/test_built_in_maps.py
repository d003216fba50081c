"""The built-in maps, chosen by name."""

from __future__ import annotations

import pytest

from arbiter.game import Chance
from protocols.heroes import protocol
from protocols.heroes.library import NAMES, built_in
from protocols.heroes.maps import parse

from .table import new_game, tidy
from .test_maps import CONTEST
from .walking import check_fair_map, spots


def test_seed_is_the_contest_s_own_map_repaired() -> None:
    assert built_in("seed") == list(parse(tidy(CONTEST)).rows)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_fair(name: str) -> None:
    check_fair_map(built_in(name), symmetric=name != "m3")


def test_m3_has_no_symmetry() -> None:
    with pytest.raises(AssertionError):
        check_fair_map(built_in("m3"))


def test_m1_to_m6_have_the_sizes_and_mines_of_the_contest_s_and_no_spikes() -> None:
    assert NAMES == ("seed", "m1", "m2", "m3", "m4", "m5", "m6")
    maps = [built_in(name) for name in NAMES[1:]]
    assert [len(rows) for rows in maps] == [10, 12, 20, 18, 18, 16]
    assert [len(spots(rows, "$-")) for rows in maps] == [4, 8, 14, 12, 20, 4]
    assert not any(spots(rows, "^^") for rows in maps)


@pytest.mark.parametrize("name", NAMES)
def test_they_can_be_played_by_name_whatever_the_seed(name: str) -> None:
    for seed in (1, 2):
        assert protocol.setup(4, {"map": name}, Chance(seed, "setup"))["map"] == built_in(name)
    assert new_game(map=name).to_move() == (0,)


@pytest.mark.parametrize("name", NAMES[1:])
def test_m1_to_m6_suit_either_preset(name: str) -> None:
    assert new_game(map=name, preset="vindinium").to_move() == (0,)
