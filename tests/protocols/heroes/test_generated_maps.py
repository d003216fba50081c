"""Random maps meet their requirements, whatever the seed."""

from __future__ import annotations

from collections import Counter

import pytest

from arbiter.game import Chance
from protocols.heroes import protocol
from protocols.heroes.maps import parse_rows

from .walking import beside, cells, check_fair_map, spots

pytestmark = pytest.mark.slow

SIZES = range(10, 29, 2)
SEEDS = range(400)


def generated(seed: int, **options: int | str) -> list[str]:
    rows: list[str] = protocol.setup(4, options, Chance(seed, "setup"))["map"]
    return rows


def test_symmetry_reach_mines_and_taverns() -> None:
    for seed in SEEDS:
        rows = generated(seed)
        check_fair_map(rows)
        parse_rows(rows)


def test_every_size_can_be_asked_for() -> None:
    for size in SIZES:
        for seed in range(15):
            rows = generated(seed, size=size)
            assert len(rows) == size
            check_fair_map(rows)


def test_shares_of_wood_mines_and_spikes() -> None:
    for seed in SEEDS:
        tiles = Counter(cells(generated(seed)).values())
        whole = sum(tiles.values())
        assert 10 <= 100 * tiles["##"] / whole <= 41
        assert 3 <= 100 * tiles["$-"] / whole <= 9
        assert 2 <= 100 * tiles["^^"] / whole <= 11


def test_the_shares_use_their_ranges() -> None:
    shares: dict[str, list[float]] = {"##": [], "$-": [], "^^": []}
    for seed in range(300):
        tiles = Counter(cells(generated(seed)).values())
        for tile, seen in shares.items():
            seen.append(100 * tiles[tile] / sum(tiles.values()))
    for tile, low, high in (("##", 14, 37), ("$-", 4, 8), ("^^", 3, 10)):
        assert min(shares[tile]) < low
        assert max(shares[tile]) > high


def test_all_even_sizes_from_10_to_28_occur() -> None:
    assert {len(generated(seed)) for seed in range(200)} == set(SIZES)


def test_no_hero_starts_beside_another() -> None:
    for seed in range(200):
        rows = generated(seed)
        assert not any(cells(rows).get(spot, "")[:1] == "@" for spot in beside(spots(rows, "@1")[0]))


def test_without_spikes_the_rest_holds_too() -> None:
    for seed in range(60):
        rows = generated(seed, preset="vindinium")
        check_fair_map(rows)
        assert not spots(rows, "^^")


def test_the_map_depends_on_the_seed() -> None:
    maps = ["\n".join(generated(seed)) for seed in range(50)]
    assert len(set(maps)) == 50
    assert maps[7] == "\n".join(generated(7))
