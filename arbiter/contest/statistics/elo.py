"""How much better one agent is than another, in Elo.

The difference is what the score says: a lead of 400 Elo is a score of 10 to 1, draws counting half. Its 95 % interval
is that of the score (:mod:`arbiter.contest.statistics.bounded_mean`), from pairs of games where games are paired. Who
won everything is infinitely better as far as anybody knows; the lower end of the interval is what was shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist

import msgspec

from arbiter.contest.scheduled import Outcome
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.pairs import averages, duel

ELO_PER_NAT = 400 / math.log(10)
"""Elo of a natural logarithm of odds."""


class Elo(msgspec.Struct, frozen=True, kw_only=True):
    """One agent against another. Infinity is null in JSON, which has no word for it."""

    games: int
    pairs: int
    """Independent observations: pairs of games, or games that stand alone."""
    score: float | None
    """Points a game, from 0 to 1; None before the first game."""
    elo: float
    """The difference; infinite if all games were won or all lost."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    superiority: float
    """How likely it is the better one: 0.5 if nothing speaks for either."""

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def expected_score(difference: float) -> float:
    """Points a game that a lead of so much Elo is worth."""
    if difference < 0:
        return 1 - expected_score(-difference)
    return 1 / (1 + 10 ** (-difference / 400))


def difference(score: float) -> float:
    """The lead in Elo that is worth so many points a game."""
    if score in (0, 1):
        return math.inf if score else -math.inf
    return ELO_PER_NAT * (math.log(score) - math.log1p(-score))


def of_match(outcomes: Iterable[Outcome], one: str, other: str) -> Elo:
    """From all games in which the two met, also among others; pairs are found by agents and seed."""
    met = [outcome for outcome in outcomes if duel(outcome, one, other) is not None]
    return of_sample(Sample(averages(met, lambda outcome: duel(outcome, one, other))), len(met))


def of_games(wins: int, draws: int, losses: int) -> Elo:
    """From games that have nothing to do with each other."""
    return of_sample(counted([losses, draws, wins]), wins + draws + losses)


def of_pairs(counts: Sequence[int]) -> Elo:
    """From how many pairs of games brought 0, 0.5, 1, 1.5 and 2 points."""
    return of_sample(counted(counts), 2 * sum(counts))


def of_sample(sample: Sample, games: int) -> Elo:
    """From scores between 0 and 1, each an independent observation."""
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
    """The share of a normal distribution that lies on the side of the better score, in standard errors of a draw.

    It is above 0.975 exactly where the 95 % interval lies above 0.
    """
    if not sample.size:
        return 0.5
    lead = sample.mean - 0.5
    return 0.5 if lead == 0 else NormalDist().cdf(lead * math.sqrt(sample.size / sample.variance(0.5)))


def counted(counts: Sequence[int]) -> Sample:
    """From how often each of some equally spaced scores from 0 to 1 occurred."""
    sample = Sample()
    for place, count in enumerate(counts):
        sample.add(place / (len(counts) - 1), count)
    return sample
