"""What observations between 0 and 1 say about their mean."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.statistics.bounded_mean import Z95, Sample

SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=40)
MEANS = st.floats(0.01, 0.99)


def wilson(won: int, games: int) -> tuple[float, float]:
    share, z2 = won / games, Z95**2
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    width = Z95 / (1 + z2 / games) * math.sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    return middle - width, middle + width


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_of_wins_and_losses_the_interval_is_that_of_wilson(won: int, lost: int) -> None:
    if won + lost:
        sample = Sample([1.0] * won + [0.0] * lost)
        assert sample.interval() == pytest.approx(wilson(won, won + lost), abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_the_interval_lies_between_0_and_1_around_the_mean(scores: list[float]) -> None:
    low, high = Sample(scores).interval()
    assert 0 <= low <= sum(scores) / len(scores) <= high <= 1
    assert low < high


@settings(max_examples=50, deadline=None)
@given(SCORES)
def test_from_the_other_side_it_is_the_mirror_image(scores: list[float]) -> None:
    low, high = Sample(scores).interval()
    assert Sample(1 - score for score in scores).interval() == pytest.approx((1 - high, 1 - low), abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(SCORES, st.integers(2, 5))
def test_more_of_the_same_makes_it_narrower(scores: list[float], times: int) -> None:
    (low, high), (closer, nearer) = Sample(scores).interval(), Sample(scores * times).interval()
    assert low <= closer + 1e-12
    assert nearer <= high + 1e-12
    assert nearer - closer < high - low


@settings(max_examples=50, deadline=None)
@given(SCORES, MEANS)
def test_no_other_mean_is_likelier_than_that_of_the_sample(scores: list[float], mean: float) -> None:
    sample = Sample(scores)
    assert sample.cost(mean) >= -1e-9
    if 0 < sample.mean < 1:
        assert sample.cost(sample.mean) == pytest.approx(0, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(SCORES, MEANS, MEANS)
def test_a_mean_farther_off_costs_more(scores: list[float], one: float, other: float) -> None:
    sample = Sample(scores)
    near, far = sorted((one, other), key=lambda mean: abs(mean - sample.mean))
    if (near < sample.mean) == (far < sample.mean):
        assert sample.cost(near) <= sample.cost(far) + 1e-9


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.floats(0.05, 0.95))
def test_it_is_the_most_likely_distribution_on_losses_draws_and_wins(
    lost: int, drawn: int, won: int, mean: float
) -> None:
    """All of them with this mean, one after the other."""
    games = lost + drawn + won
    if not games:
        return
    best, variance, steps = -math.inf, 0.0, 1000
    most = 2 * min(mean, 1 - mean)
    for step in range(steps + 1):
        draw = most * step / steps
        shares = [(lost, 1 - mean - draw / 2), (drawn, draw), (won, mean - draw / 2)]
        if all(share > 0 for count, share in shares if count):
            value = sum(count * math.log(share) for count, share in shares if count)
            if value > best:
                best = value
                variance = shares[0][1] * mean**2 + draw * (0.5 - mean) ** 2 + shares[2][1] * (1 - mean) ** 2
    top = sum(count * math.log(count / games) for count in (lost, drawn, won) if count)
    sample = Sample([0.0] * lost + [0.5] * drawn + [1.0] * won)
    assert sample.cost(mean) == pytest.approx(top - best, abs=1e-3)
    assert sample.variance(mean) == pytest.approx(variance, abs=2e-3)


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ((0.0, 0.5, 1.0), (0.25, 0.5, 0.25)),  # pairs without draws, agents of equal strength
        ((0.0, 1.0), (0.45, 0.55)),  # pairs that always go one way
        ((0.0, 0.25, 0.5, 0.75, 1.0), (0.01, 0.02, 0.07, 0.2, 0.7)),  # much the better one
        ((0.0, 0.25, 0.5, 0.75, 1.0), (0.02, 0.1, 0.7, 0.14, 0.04)),  # mostly draws
    ],
)
@pytest.mark.parametrize("size", [10, 60])
def test_95_percent_of_the_intervals_hold_the_truth(
    scores: tuple[float, ...], shares: tuple[float, ...], size: int
) -> None:
    rng = random.Random(size)
    truth = sum(score * share for score, share in zip(scores, shares, strict=True))
    trials, known, held = 200, {}, 0
    for _ in range(trials):
        drawn = tuple(sorted(rng.choices(scores, shares, k=size)))
        if drawn not in known:
            known[drawn] = Sample(drawn).interval()
        held += known[drawn][0] <= truth <= known[drawn][1]
    assert held / trials > 0.91


def test_without_observations_everything_is_possible() -> None:
    assert Sample().interval() == (0, 1)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.nan])
def test_observations_lie_between_0_and_1(wrong: float) -> None:
    with pytest.raises(ValueError, match="not between 0 and 1"):
        Sample([wrong])


@pytest.mark.parametrize("end", [0.0, 1.0])
def test_a_mean_of_exactly_0_or_1_is_not_supposed(end: float) -> None:
    with pytest.raises(ValueError, match="not strictly between 0 and 1"):
        Sample([0.5]).cost(end)
