"""Is it better? A sequential test, which may be looked at after every pair of games and stops when it is sure.

Two hypotheses are compared: that the one agent leads the other by ``elo0``, or by ``elo1``. The likelihood of each is
that of the likeliest distribution of the pairs' scores with this mean (M. Van den Bergh, "A Practical Introduction to
the GSPRT"); no draw rate has to be known. With two games a pair that is the pentanomial test, with games that stand
alone the trinomial one, and without draws it is Wald's.

The test ends when the log-likelihood ratio leaves its bounds. A lead of ``elo0`` is then taken for ``elo1`` with
probability ``alpha`` at most, and the other way round with ``beta``, as nearly as Wald's bounds keep it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.elo import counted, expected_score

Verdict = Literal["yes", "no", "not yet"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is asked: a lead of ``elo1`` rather than ``elo0``, and how often the answer may be wrong."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    """A yes though the lead is only ``elo0``."""
    beta: float = 0.05
    """A no though the lead is ``elo1``."""

    @property
    def lower(self) -> float:
        """At this log-likelihood ratio the answer is no."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this one it is yes."""
        return math.log((1 - self.beta) / self.alpha)


USUAL = Bounds()


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """Where a test stands."""

    llr: float
    lower: float
    upper: float
    verdict: Verdict


def examine(sample: Sample, bounds: Bounds = USUAL) -> Sprt:
    """Where the test stands after these scores from 0 to 1, each an independent observation."""
    llr = likelihood_ratio(sample, bounds.elo0, bounds.elo1)
    verdict: Verdict = "yes" if llr >= bounds.upper else "no" if llr <= bounds.lower else "not yet"
    return Sprt(llr=llr, lower=bounds.lower, upper=bounds.upper, verdict=verdict)


def examine_games(wins: int, draws: int, losses: int, bounds: Bounds = USUAL) -> Sprt:
    """After games that have nothing to do with each other."""
    return examine(counted([losses, draws, wins]), bounds)


def examine_pairs(counts: Sequence[int], bounds: Bounds = USUAL) -> Sprt:
    """After so many pairs of games that brought 0, 0.5, 1, 1.5 and 2 points."""
    return examine(counted(counts), bounds)


def likelihood_ratio(sample: Sample, elo0: float, elo1: float) -> float:
    """The logarithm of how much likelier the sample is if the lead is ``elo1`` than if it is ``elo0``."""
    if not sample.size:
        return 0.0
    return sample.cost(expected_score(elo0)) - sample.cost(expected_score(elo1))
