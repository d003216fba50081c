"""SPRT: a sequential test of whether one agent is better than another, which can be evaluated after every pair of games.

It compares two hypotheses: that one agent leads the other by ``elo0``, or by ``elo1``. The likelihood of each is that of
the most likely distribution of pair scores with this mean (M. Van den Bergh, "A Practical Introduction to the GSPRT"), so
the draw rate need not be known. With pairs of games this is the pentanomial test, with single games the trinomial test,
and without draws it is Wald's.

The test ends when the log-likelihood ratio leaves its bounds. The probability of a yes with a true lead of ``elo0`` is
then at most ``alpha``, and that of a no with a true lead of ``elo1`` at most ``beta``, to the accuracy of Wald's bounds.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.elo import expected_score

Verdict = Literal["yes", "no", "not yet"]


class Bounds(msgspec.Struct, frozen=True):
    """The two hypotheses of a test, and the error rates allowed."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    """Probability of a yes if the lead is only ``elo0``."""
    beta: float = 0.05
    """Probability of a no if the lead is ``elo1``."""

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at or below which the answer is no."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at or above which the answer is yes."""
        return math.log((1 - self.beta) / self.alpha)


DEFAULT_BOUNDS = Bounds()


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a test: the log-likelihood ratio, its bounds and the verdict."""

    llr: float
    lower: float
    upper: float
    verdict: Verdict


def run_sprt(sample: Sample, bounds: Bounds = DEFAULT_BOUNDS) -> Sprt:
    """Evaluate the test on scores from 0 to 1, each an independent observation."""
    llr = likelihood_ratio(sample, bounds.elo0, bounds.elo1)
    verdict: Verdict = "yes" if llr >= bounds.upper else "no" if llr <= bounds.lower else "not yet"
    return Sprt(llr=llr, lower=bounds.lower, upper=bounds.upper, verdict=verdict)


def likelihood_ratio(sample: Sample, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of a lead of ``elo1`` against one of ``elo0``."""
    if not sample.size:
        return 0.0
    return sample.cost(expected_score(elo0)) - sample.cost(expected_score(elo1))
