"""Rankings as choices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.statistics.likelihood import choices, times_chosen

RANKS = st.lists(st.integers(1, 4), min_size=2, max_size=5)


def log_likelihood(ranks: Sequence[int], worth: Sequence[float]) -> float:
    """Return the log-likelihood as the module computes it."""
    agents = range(len(ranks))
    value = sum(times * math.log(worth[agent]) for agent, times in times_chosen(agents, ranks).items())
    return value - sum(weight * math.log(sum(worth[one] for one in some)) for some, weight in choices(agents, ranks))


def mean_over_orders(ranks: Sequence[int], worth: Sequence[float]) -> float:
    """Of the log-likelihoods of all full orders that agree with the ranks."""
    values = []
    for order in permutations(range(len(ranks))):
        if all(ranks[first] <= ranks[second] for first, second in pairwise(order)):
            left = [worth[agent] for agent in order]
            values.append(sum(math.log(left[place] / sum(left[place:])) for place in range(len(left))))
    return sum(values) / len(values)


@settings(max_examples=40, deadline=None)
@given(RANKS, st.lists(st.floats(0.1, 10), min_size=5, max_size=5))
def test_tied_ranks_represent_all_orders_equally(ranks: list[int], worth: list[float]) -> None:
    assert log_likelihood(ranks, worth) == pytest.approx(mean_over_orders(ranks, worth), abs=1e-9)


def test_a_draw_is_half_a_win_and_half_a_loss() -> None:
    assert choices([3, 8], [1, 1]) == [((3, 8), 1.0)]
    assert times_chosen([3, 8], [1, 1]) == {3: 0.5, 8: 0.5}
    assert times_chosen([3, 8], [2, 1]) == {3: 0.0, 8: 1.0}


def test_a_game_without_a_winner_ranks_like_a_draw() -> None:
    assert choices([0, 1, 2], [2, 2, 2]) == choices([0, 1, 2], [1, 1, 1])


@settings(max_examples=40, deadline=None)
@given(st.integers(7, 30), st.integers(0, 3))
def test_each_of_many_tied_agents_is_left_over_equally_often(level: int, behind: int) -> None:
    ranks = [1] * level + [2] * behind
    found = choices(range(level + behind), ranks)
    assert len(found) < 40 * 40
    shares = [sum(weight for some, weight in found if agent in some) for agent in range(level)]
    assert shares == pytest.approx([shares[0]] * level)
    times = times_chosen(range(level + behind), ranks)
    assert sum(times.values()) == pytest.approx(level + behind - 1)
    assert sum(weight for _, weight in found) == pytest.approx(level + behind - 1)
