"""Random maps meet the rules, over hundreds of seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from arbiter.game import Chance
from protocols.rails.chart import MOUNTAIN, PLACE_OF_INTEREST, PLAIN, RIVER, Chart, neighbour_table
from protocols.rails.generate import generate
from protocols.rails.layout import from_plain, to_plain
from protocols.rails.regions import make_wishes
from protocols.rails.terrain import Rivers, raise_mountains

from .table import new_map

pytestmark = pytest.mark.slow

SEEDS = range(300)


@cache
def chart(seed: int) -> Chart:
    return generate(Chance(seed, "setup"))


@cache
def pieces(seed: int, kind: int) -> list[set[int]]:
    """Return the connected patches of one terrain."""
    here = chart(seed)
    cells = {cell for cell, found in enumerate(here.terrain) if found == kind}
    return patches(cells, neighbour_table(here.width, here.height))


def patches(cells: set[int], neighbours: Sequence[Sequence[int]]) -> list[set[int]]:
    left = set(cells)
    found = []
    while left:
        patch = {left.pop()}
        queue = list(patch)
        for cell in queue:
            new = left.intersection(neighbours[cell])
            left -= new
            patch |= new
            queue.extend(new)
        found.append(patch)
    return found


def distance(here: Chart, a: int, b: int) -> int:
    (ax, ay), (bx, by) = here.place(a), here.place(b)
    return abs(ax - bx) + abs(ay - by)


def town_cells(here: Chart) -> list[int]:
    return [town.y * here.width + town.x for town in here.towns]


def test_the_same_seed_gives_the_same_map_and_others_differ() -> None:
    assert new_map(5) == new_map(5)
    assert len({str(new_map(seed)) for seed in range(40)}) == 40


def test_a_new_map_is_a_sound_setup() -> None:
    for seed in SEEDS:
        assert from_plain(to_plain(chart(seed))) == chart(seed)


def test_mountains_of_two_blobs_or_more() -> None:
    for seed in SEEDS:
        here = chart(seed)
        blobs_at_most = int(0.04 * len(here.terrain) + 0.5)
        assert 1 <= here.terrain.count(MOUNTAIN) <= 8 * blobs_at_most


@pytest.mark.parametrize("fraction", [0.0, 0.3, 0.999999])
def test_mountains_are_blobs_of_three_to_eight_cells(fraction: float) -> None:
    class Drawn(Chance):
        def fraction(self) -> float:
            return fraction

    width, height = 60, 40
    terrain = [PLAIN] * (width * height)
    raise_mountains(terrain, neighbour_table(width, height), Drawn(3))
    blobs = max(2, round(fraction * 0.04 * width * height))
    assert 3 * blobs <= terrain.count(MOUNTAIN) <= 8 * blobs
    found = patches({cell for cell, kind in enumerate(terrain) if kind == MOUNTAIN}, neighbour_table(width, height))
    assert len(found) <= blobs
    assert min(map(len, found)) >= 3


def test_mountains_take_plain_cells_only() -> None:
    terrain = [RIVER] * 20 + [PLAIN] * 20
    raise_mountains(terrain, neighbour_table(10, 4), Chance(1))
    assert terrain[:20] == [RIVER] * 20
    assert MOUNTAIN in terrain[20:]


def test_rivers_cover_about_seven_hundredths() -> None:
    for seed in SEEDS:
        here = chart(seed)
        assert abs(here.terrain.count(RIVER) - 0.07 * len(here.terrain)) <= 4


def test_rivers_are_three_cells_or_longer() -> None:
    for seed in SEEDS:
        assert min(map(len, pieces(seed, RIVER)), default=3) >= 3


def test_rivers_spring_in_the_middle_or_at_the_border() -> None:
    for seed in SEEDS:
        here = chart(seed)
        inland = [
            river
            for river in pieces(seed, RIVER)
            if all(
                0 < cell % here.width < here.width - 1 and 0 < cell // here.width < here.height - 1 for cell in river
            )
        ]
        assert len(inland) <= 1, "only the first river need not touch the border"


def test_the_first_river_springs_in_the_middle() -> None:
    for seed in range(50):
        terrain = [PLAIN] * (24 * 16)
        Rivers(terrain, 24, 16, Chance(seed)).run()
        assert terrain[8 * 24 + 12] == RIVER


def test_rivers_split() -> None:
    neighbours = {seed: neighbour_table(chart(seed).width, chart(seed).height) for seed in range(50)}
    forks = sum(
        sum(chart(seed).terrain[near] == RIVER for near in neighbours[seed][cell]) > 2
        for seed in neighbours
        for cell, kind in enumerate(chart(seed).terrain)
        if kind == RIVER
    )
    assert forks > 50


def test_rivers_keep_clear_of_other_water() -> None:
    for seed in SEEDS:
        here = chart(seed)
        neighbours = neighbour_table(here.width, here.height)
        for river in pieces(seed, RIVER):
            banks = sum(near in river for cell in river for near in neighbours[cell])
            assert banks == 2 * (len(river) - 1), "a river is a tree: it never touches itself or another one"


def test_regions_are_as_many_as_the_rules_say() -> None:
    for seed in SEEDS:
        here = chart(seed)
        assert len(set(here.region)) == (here.width * here.height) // (here.height // 2)
        assert set(here.region) == set(range(max(here.region) + 1))


def test_regions_are_connected() -> None:
    for seed in range(100):
        here = chart(seed)
        cells: dict[int, set[int]] = {}
        for cell, number in enumerate(here.region):
            cells.setdefault(number, set()).add(cell)
        neighbours = neighbour_table(here.width, here.height)
        for region in cells.values():
            assert len(patches(region, neighbours)) == 1


def test_regions_have_seven_to_ten_cells_or_so() -> None:
    sizes = [size for seed in SEEDS for size in Counter(chart(seed).region).values()]
    assert 7 <= sum(sizes) / len(sizes) <= 10
    assert sum(5 <= size <= 12 for size in sizes) > 0.98 * len(sizes)


def test_towns_are_as_many_as_the_map_is_large() -> None:
    for seed in SEEDS:
        here = chart(seed)
        assert len(here.towns) == max(4, here.width * here.height // 50)
    assert {len(chart(seed).towns) for seed in SEEDS} == {5, 6, 7, 8, 9, 11, 12}


def test_towns_at_most_one_a_region() -> None:
    for seed in SEEDS:
        regions = [chart(seed).region[cell] for cell in town_cells(chart(seed))]
        assert len(set(regions)) == len(regions)


def test_towns_never_in_neighbouring_regions() -> None:
    for seed in SEEDS:
        here = chart(seed)
        settled = {here.region[cell] for cell in town_cells(here)}
        for cell, near_cells in enumerate(neighbour_table(here.width, here.height)):
            for near in near_cells:
                one, other = here.region[cell], here.region[near]
                assert one == other or not (one in settled and other in settled)


def test_towns_on_plain_and_off_the_edge() -> None:
    for seed in SEEDS:
        here = chart(seed)
        for town, cell in zip(here.towns, town_cells(here), strict=True):
            assert here.terrain[cell] == PLAIN
            assert 0 < town.x < here.width - 1
            assert 0 < town.y < here.height - 1


def test_towns_at_least_four_steps_apart() -> None:
    for seed in SEEDS:
        here = chart(seed)
        cells = town_cells(here)
        assert all(distance(here, a, b) >= 4 for a in cells for b in cells if a != b)


def test_wishes_are_sorted_and_for_other_towns() -> None:
    for seed in SEEDS:
        for number, town in enumerate(chart(seed).towns):
            assert list(town.wishes) == sorted(set(town.wishes) & set(range(len(chart(seed).towns))) - {number})


def test_wishes_go_one_way() -> None:
    for seed in SEEDS:
        pairs = {(a, b) for a, town in enumerate(chart(seed).towns) for b in town.wishes}
        assert not pairs & {(b, a) for a, b in pairs}


@pytest.mark.parametrize("count", range(4, 13))
def test_wishes_are_three_up_to_five_fewer_than_towns(count: int) -> None:
    most = max(3, count - 1 - 4)
    numbers = Counter(len(wishes) for seed in range(200) for wishes in make_wishes(count, Chance(seed)))
    assert max(numbers) == most
    assert numbers[most] > 0
    assert numbers[3] > 0


def test_every_town_wishes_or_is_wished_for() -> None:
    without = 0
    for seed in SEEDS:
        towns = chart(seed).towns
        wished = {wish for town in towns for wish in town.wishes}
        for number, town in enumerate(towns):
            without += not town.wishes
            assert town.wishes or number in wished
    assert without, "some town has no wish"


def test_places_of_interest_are_two_to_four() -> None:
    assert {chart(seed).terrain.count(PLACE_OF_INTEREST) for seed in SEEDS} == {2, 3, 4}


def test_places_of_interest_within_three_of_a_side_and_four_from_towns() -> None:
    for seed in SEEDS:
        here = chart(seed)
        for cell, kind in enumerate(here.terrain):
            if kind == PLACE_OF_INTEREST:
                x, y = here.place(cell)
                assert min(x, y, here.width - 1 - x, here.height - 1 - y) < 3
                assert all(distance(here, cell, town) >= 4 for town in town_cells(here))


def test_places_of_interest_can_be_turned_off_and_nothing_else_changes() -> None:
    for seed in range(30):
        with_places, without = new_map(seed), new_map(seed, places_of_interest=False)
        assert without["towns"] == with_places["towns"]
        assert without["regions"] == with_places["regions"]
        for row, other in zip(with_places["terrain"], without["terrain"], strict=True):
            assert "3" not in other
            assert all(a == b or (a == "3" and b in "02") for a, b in zip(row, other, strict=True)), "never on a river"
