"""The Elo difference between two agents, as a value and in sentences.

The difference follows from the score: a lead of 400 Elo is a score of 10 to 1, draws counting half. Its 95 % interval is
that of the score (:mod:`arbiter.contest.statistics.bounded_mean`), with deals as observations. If one agent won every
game, the difference is infinite, and only the lower end of the interval is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.pairs import averages, head_to_head
from arbiter.contest.statistics.wording import signed
from arbiter.text import count

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


def of_match(outcomes: Iterable[GameSummary], one: str, other: str) -> Elo:
    """Estimate from all games in which the two met, at tables of any size; deals are found by agents and seed."""
    met = [outcome for outcome in outcomes if head_to_head(outcome, one, other) is not None]
    return of_sample(Sample(averages(met, lambda outcome: head_to_head(outcome, one, other))), len(met))


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


def better_sentence(one: str, other: str, verdict: str, lead: Elo) -> str:
    """Return ``new is better than old: yes, +34 Elo (95 % interval: +12 to +57), after 412 games``."""
    return f"{one} is better than {other}: {verdict}, {lead_with_games(lead)}"


def lead_with_games(lead: Elo) -> str:
    """Return ``+34 Elo (95 % interval: +12 to +57), after 412 games``."""
    if not lead.games:
        return "no complete deal between them"
    return f"{_lead(lead)}, after {count(lead.games, 'game')}"


def lead_with_interval(elo: float, low: float, high: float) -> str:
    """Return ``+34 Elo (95 % interval: +12 to +57)``."""
    return f"{signed(elo)} Elo (95 % interval: {signed(low)} to {signed(high)})"


def _lead(lead: Elo) -> str:
    """Return the lead with its interval; only the finite end of the interval if every game was won or lost."""
    if lead.score == 1:
        return f"it won every game, at least {signed(lead.low)} Elo (95 % confidence)"
    if lead.score == 0:
        return f"it lost every game, at most {signed(lead.high)} Elo (95 % confidence)"
    return lead_with_interval(lead.elo, lead.low, lead.high)
