"""Pairing is optimal: compared with an enumeration of all pairings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.schedules.pairing import Matching, pair_off
from tests.contest.fake_game import at_leisure

Pairs = list[tuple[int, int]]


def all_pairings(vertices: list[int]) -> Iterator[Pairs]:
    """In lexicographic order."""
    if not vertices:
        yield []
    for index in range(1, len(vertices)):
        for pairs in all_pairings(vertices[1:index] + vertices[index + 1 :]):
            yield [(vertices[0], vertices[index]), *pairs]


@st.composite
def graphs(draw: st.DrawFn, most: int = 8) -> list[set[int]]:
    size = 2 * draw(st.integers(1, most // 2))
    fresh: list[set[int]] = [set() for _ in range(size)]
    for one, other in draw(st.sets(st.sampled_from(list(combinations(range(size), 2))))):
        fresh[one].add(other)
        fresh[other].add(one)
    return fresh


@at_leisure
@given(graphs())
def test_repetitions_are_minimal_and_then_preferences_are_met_in_order(fresh: list[set[int]]) -> None:
    everyone = list(range(len(fresh)))
    best = min(all_pairings(everyone), key=lambda pairs: sum(other not in fresh[one] for one, other in pairs))
    assert pair_off(everyone, fresh, lambda one, rest: rest) == best


@at_leisure
@given(graphs(most=20), st.integers(0, 19))
def test_a_matching_stays_maximal_when_vertices_are_removed(neighbours: list[set[int]], gone: int) -> None:
    whole, rest = Matching(neighbours), Matching(neighbours)
    for vertex in range(len(neighbours)):
        whole.add(vertex)
        if vertex != gone % len(neighbours):
            rest.add(vertex)
    smaller = whole.without(gone % len(neighbours))
    assert len(smaller.mate) == len(rest.mate)
    assert all(other in neighbours[one] and smaller.mate[other] == one for one, other in smaller.mate.items())


def test_odd_cycles_are_contracted() -> None:
    # Two triangles joined by a path: the pairs found first have to be swapped around a triangle.
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 5)]
    neighbours: list[set[int]] = [set() for _ in range(8)]
    for one, other in edges:
        neighbours[one].add(other)
        neighbours[other].add(one)
    matching = Matching(neighbours)
    for vertex in range(8):
        matching.add(vertex)
    assert not matching.single
