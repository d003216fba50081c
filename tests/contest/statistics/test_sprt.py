"""The sequential test."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.elo import expected_score
from arbiter.contest.statistics.sprt import DEFAULT_BOUNDS, Bounds, likelihood_ratio, run_sprt
from tests.contest.statistics.making import counted

pytestmark = pytest.mark.slow

COUNTS = st.lists(st.integers(0, 60), min_size=5, max_size=5)


# Values published as tests of fastchess (Disservin and others, app/tests/sprt_test.cpp), of its logistic model.
@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "llr"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0.0, 2.0, -4.98),
    ],
)
def test_published_pairs(pairs: tuple[int, ...], elo0: float, elo1: float, llr: float) -> None:
    found = run_sprt(counted(pairs), Bounds(elo0, elo1))
    assert found.llr == pytest.approx(llr, abs=0.005)
    assert found.verdict == "no"


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "elo0", "elo1", "llr"),
    [(21404, 21184, 40708, 0.5, 2.5, -1.57), (57433, 57030, 106593, 0.0, 2.0, -2.59)],
)
def test_published_games(wins: int, losses: int, draws: int, elo0: float, elo1: float, llr: float) -> None:
    found = run_sprt(counted([losses, draws, wins]), Bounds(elo0, elo1))
    assert found.llr == pytest.approx(llr, abs=0.005)
    assert found.verdict == "not yet"


def test_the_default_bounds() -> None:
    """2.94, as every test of fishtest shows them."""
    assert (round(DEFAULT_BOUNDS.lower, 2), round(DEFAULT_BOUNDS.upper, 2)) == (-2.94, 2.94)
    assert Bounds(alpha=0.1, beta=0.2).upper == pytest.approx(math.log(8))


@settings(max_examples=50, deadline=None)
@given(COUNTS)
def test_close_hypotheses_are_compared_as_van_den_bergh_approximates_it(counts: list[int]) -> None:
    """M. Van den Bergh, "A Practical Introduction to the GSPRT", formula (2.1)."""
    sample = counted(counts)
    if all(counts) and abs(sample.mean - 0.5) < 0.02:
        s0, s1 = expected_score(0), expected_score(1)
        expected = sample.size * (s1 - s0) * (2 * sample.mean - s0 - s1) / (2 * sample.variance(sample.mean))
        assert likelihood_ratio(sample, 0, 1) == pytest.approx(expected, rel=0.05, abs=0.003)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 500), st.integers(0, 500), st.floats(-50, 50), st.floats(1, 100))
def test_without_draws_it_is_the_test_of_wald(wins: int, losses: int, elo0: float, wider: float) -> None:
    s0, s1 = expected_score(elo0), expected_score(elo0 + wider)
    wald = wins * math.log(s1 / s0) + losses * math.log((1 - s1) / (1 - s0))
    assert run_sprt(counted([losses, 0, wins]), Bounds(elo0, elo0 + wider)).llr == pytest.approx(wald, abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(COUNTS, st.floats(-40, 40), st.floats(1, 60))
def test_the_other_agent_asks_the_mirrored_question(counts: list[int], elo0: float, wider: float) -> None:
    here = likelihood_ratio(counted(counts), elo0, elo0 + wider)
    there = likelihood_ratio(counted(counts[::-1]), -elo0 - wider, -elo0)
    assert there == pytest.approx(-here, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.integers(0, 3), st.floats(-40, 40), st.floats(1, 60))
def test_while_the_score_lies_between_the_hypotheses_a_better_result_leaves_a_higher_ratio(
    counts: list[int], place: int, elo0: float, wider: float
) -> None:
    counts = [count + 1 for count in counts]
    worse, better = ([count + (at == now) for at, count in enumerate(counts)] for now in (place, place + 1))
    if expected_score(elo0) <= counted(worse).mean and counted(better).mean <= expected_score(elo0 + wider):
        ratios = [likelihood_ratio(counted(each), elo0, elo0 + wider) for each in (worse, better)]
        assert ratios[0] < ratios[1]


@settings(max_examples=50, deadline=None)
@given(COUNTS, st.integers(2, 5))
def test_evidence_adds_up(counts: list[int], times: int) -> None:
    once, often = counted(counts), counted([count * times for count in counts])
    assert likelihood_ratio(often, 0, 5) == pytest.approx(times * likelihood_ratio(once, 0, 5), abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(COUNTS, st.floats(-40, 40), st.floats(1, 60), st.floats(1, 60))
def test_hypotheses_can_be_compared_in_steps(counts: list[int], elo0: float, one: float, two: float) -> None:
    sample = counted(counts)
    steps = likelihood_ratio(sample, elo0, elo0 + one) + likelihood_ratio(sample, elo0 + one, elo0 + one + two)
    assert likelihood_ratio(sample, elo0, elo0 + one + two) == pytest.approx(steps, abs=1e-6)


def test_without_games_nothing_is_decided() -> None:
    assert run_sprt(Sample()).llr == 0
    assert run_sprt(Sample()).verdict == "not yet"


@pytest.mark.parametrize(("score", "verdict"), [(1.0, "yes"), (0.5, "no"), (0.0, "no")])
def test_pairs_with_equal_scores_decide_in_the_end_and_not_at_once(score: float, verdict: str) -> None:
    assert run_sprt(Sample([score] * 5)).verdict == "not yet"
    assert run_sprt(Sample([score] * 1000)).verdict == verdict


@pytest.mark.parametrize("lead", ["elo0", "elo1"])
@pytest.mark.parametrize(
    ("scores", "shares"),
    [((0.0, 0.5, 1.0), (0.25, 0.5, 0.25)), ((0.0, 0.25, 0.5, 0.75, 1.0), (0.05, 0.15, 0.6, 0.15, 0.05))],
)
def test_answers_are_wrong_as_often_as_allowed(scores: tuple[float, ...], shares: tuple[float, ...], lead: str) -> None:
    bounds = Bounds(0, 80)
    law = _with_mean(scores, shares, expected_score(getattr(bounds, lead)))
    rng, trials, wrong = random.Random(lead), 120, 0
    for _ in range(trials):
        sample = Sample()
        while (verdict := run_sprt(sample, bounds).verdict) == "not yet":
            sample.add(rng.choices(scores, law)[0])
        wrong += verdict == ("yes" if lead == "elo0" else "no")
    assert wrong / trials < 0.10


def _with_mean(scores: tuple[float, ...], shares: tuple[float, ...], mean: float) -> list[float]:
    """The shares tilted to another mean."""
    low, high = -50.0, 50.0
    for _ in range(100):
        tilt = (low + high) / 2
        tilted = [share * math.exp(tilt * score) for score, share in zip(scores, shares, strict=True)]
        found = sum(score * share for score, share in zip(scores, tilted, strict=True)) / sum(tilted)
        low, high = (tilt, high) if found < mean else (low, tilt)
    return tilted
