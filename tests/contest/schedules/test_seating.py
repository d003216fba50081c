"""Seatings are fair by construction, and a game of the same agents stays the same game."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.schedules.points import lowest_shared_place
from arbiter.contest.schedules.round_robin import RoundRobin
from arbiter.contest.schedules.seating import Seating, orders, snake_order
from arbiter.contest.schedules.tables import all_tables, even_tables
from tests.contest.fake_game import at_leisure

seats_of_a_table = st.integers(1, 4)


@at_leisure
@given(seats_of_a_table, st.integers(0, 50))
def test_with_rotations_everyone_has_every_seat_once(seats: int, seed: int) -> None:
    turns = orders(seats, "rotations", seed)
    assert len(turns) == seats
    for seat in range(seats):
        assert sorted(order[seat] for order in turns) == list(range(seats))


@at_leisure
@given(seats_of_a_table, st.integers(0, 50))
def test_permutations_are_all_orders(seats: int, seed: int) -> None:
    assert sorted(orders(seats, "permutations", seed)) == sorted(permutations(range(seats)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rotations_of_different_seeds_are_all_orders_in_the_end(seats: int) -> None:
    circles = factorial(seats - 1)
    seen = [order for seed in range(7, 7 + circles) for order in orders(seats, "rotations", seed)]
    assert sorted(seen) == sorted(permutations(range(seats)))


@pytest.mark.parametrize("seating", ["rotations", "permutations"])
def test_at_tables_of_two_both_ways_of_seating_are_the_same(seating: Seating) -> None:
    assert orders(2, seating, 3) == ((0, 1), (1, 0))


def test_games_that_are_not_paired_have_deals_of_their_own() -> None:
    names = ("ann", "bob", "cat", "dan")
    paired, alone = (RoundRobin(games=4, paired=paired).next_games(names, {}) for paired in (True, False))
    assert len({game.seed for game in paired}) == 2
    assert len({game.seed for game in alone}) == len(alone) == len(paired)
    assert [game.seats for game in alone] == [game.seats for game in paired]
    fewer = RoundRobin(games=4, paired=False).next_games(names[:3], {})
    assert set(fewer) < set(alone), "a game stays the same game when other agents join"


@at_leisure
@given(st.integers(0, 12), seats_of_a_table)
def test_all_tables_are_every_table_once(count: int, seats: int) -> None:
    tables = [tuple(sorted(table)) for tables in all_tables(count, seats) for table in tables]
    assert sorted(tables) == sorted(combinations(range(count), seats))


@at_leisure
@given(st.integers(2, 12), seats_of_a_table)
def test_in_every_round_of_all_tables_agents_sit_equally_often(count: int, seats: int) -> None:
    for tables in all_tables(count, seats):
        often = Counter(index for table in tables for index in table)
        if seats == 2:
            assert max(often.values()) == 1
            assert len(often) == count - count % 2
        else:
            assert len(often) == count
            assert len(set(often.values())) == 1


@at_leisure
@given(st.data(), st.integers(2, 4), st.integers(1, 5))
def test_in_every_lap_of_even_tables_everyone_has_every_seat_once(data: st.DataObject, seats: int, laps: int) -> None:
    count = data.draw(st.integers(seats, 30))
    given_laps = list(even_tables(count, seats, laps))
    assert len(given_laps) == laps
    for tables in given_laps:
        assert all(len(set(table)) == seats for table in tables)
        for seat in range(seats):
            assert sorted(table[seat] for table in tables) == list(range(count))


@pytest.mark.parametrize("count", [13, 16, 20, 100])
def test_in_a_lap_of_even_tables_no_pair_meets_twice_if_there_are_enough_agents(count: int) -> None:
    (tables,) = even_tables(count, 4, 1)
    met = Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
    assert max(met.values()) == (1 if count >= 15 else 2)


@pytest.mark.parametrize(
    ("count", "laps", "least", "most"), [(16, 2, 1, 2), (16, 3, 2, 3), (8, 7, 11, 13), (100, 2, 0, 1)]
)
def test_over_several_laps_of_even_tables_agents_meet_about_equally_often(
    count: int, laps: int, least: int, most: int
) -> None:
    met = Counter(dict.fromkeys(combinations(range(count), 2), 0))
    for tables in even_tables(count, 4, laps):
        met.update(pair for table in tables for pair in combinations(sorted(table), 2))
    assert (min(met.values()), max(met.values())) == (least, most)


def test_a_snake_puts_the_best_with_the_worst() -> None:
    seeds = [str(seed) for seed in range(1, 17)]
    assert [" ".join(group) for group in snake_order(seeds, 4)] == ["1 8 9 16", "2 7 10 15", "3 6 11 14", "4 5 12 13"]


@pytest.mark.parametrize(
    ("ranks", "places"),
    [
        ((1, 2), (1, 2)),
        ((1, 1), (2, 2)),
        ((2, 2), (2, 2)),
        ((3, 2), (2, 1)),
        ((1, 2, 2, 4), (1, 3, 3, 4)),
        ((1, 1, 1, 4), (3, 3, 3, 4)),
        ((2,), (1,)),
    ],
)
def test_tied_seats_get_the_lowest_place_they_share(ranks: tuple[int, ...], places: tuple[int, ...]) -> None:
    assert lowest_shared_place(ranks) == list(places)
