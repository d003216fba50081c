"""The Elo difference between two agents.

The difference follows from the score: a lead of 400 Elo is a score of 10 to 1, draws counting half. Its 95 % interval is
that of the score (:mod:`arbiter.contest.statistics.bounded_mean`), with deals as observations. If one agent won every
game, the difference is infinite, and only the lower end of the interval is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

import msgspec

from arbiter.contest.scheduled import Outcome
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.pairs import averages, head_to_head

ELO_PER_NAT = 400 / math.log(10)
"""Elo per unit of log odds (natural logarithm)."""


class Elo(msgspec.Struct, frozen=True, kw_only=True):
    """The lead of one agent over another. JSON has no infinity; infinite values are null there."""

    games: int
    pairs: int
    """Number of independent observations: pairs of games, or games on their own."""
    score: float | None
    """Points per game, from 0 to 1; None before the first game."""
    elo: float
    """The difference; infinite if every game was won or every game lost."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    superiority: float
    """Probability that it is the better of the two; 0.5 without evidence."""

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def expected_score(difference: float) -> float:
    """Return the points per game expected with this lead in Elo."""
    if difference < 0:
        return 1 - expected_score(-difference)
    return 1 / (1 + 10 ** (-difference / 400))


def difference(score: float) -> float:
    """Return the lead in Elo that corresponds to this number of points per game."""
    if score in (0, 1):
        return math.inf if score else -math.inf
    return ELO_PER_NAT * (math.log(score) - math.log1p(-score))


def of_match(outcomes: Iterable[Outcome], one: str, other: str) -> Elo:
    """Estimate from all games in which the two met, at tables of any size; deals are found by agents and seed."""
    met = [outcome for outcome in outcomes if head_to_head(outcome, one, other) is not None]
    return of_sample(Sample(averages(met, lambda outcome: head_to_head(outcome, one, other))), len(met))


def of_games(wins: int, draws: int, losses: int) -> Elo:
    """Estimate from independent games."""
    return of_sample(counted([losses, draws, wins]), wins + draws + losses)


def of_pairs(counts: Sequence[int]) -> Elo:
    """Estimate from the numbers of game pairs that scored 0, 0.5, 1, 1.5 and 2 points."""
    return of_sample(counted(counts), 2 * sum(counts))


def of_sample(sample: Sample, games: int) -> Elo:
    """Estimate from scores between 0 and 1, each an independent observation."""
    if not sample.size:
        return Elo(games=0, pairs=0, score=None, elo=0.0, low=-math.inf, high=math.inf, superiority=0.5)
    score = sample.mean
    low, high = sample.interval()
    return Elo(
        games=games,
        pairs=sample.size,
        score=score,
        elo=difference(score),
        low=difference(low),
        high=difference(high),
        superiority=superiority(sample),
    )


def superiority(sample: Sample) -> float:
    """Return the probability that the true score is above 0.5, by a normal approximation.

    The standard error is that of a true score of 0.5, so the result is above 0.975 exactly if the 95 % interval of the
    difference is above 0.
    """
    if not sample.size:
        return 0.5
    lead = sample.mean - 0.5
    return 0.5 if lead == 0 else NormalDist().cdf(lead * math.sqrt(sample.size / sample.variance(0.5)))


def counted(counts: Sequence[int]) -> Sample:
    """Return a sample from the counts of equally spaced scores from 0 to 1."""
    sample = Sample()
    for place, count in enumerate(counts):
        sample.add(place / (len(counts) - 1), count)
    return sample
