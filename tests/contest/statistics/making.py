"""Invented outcomes for tests."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.statistics import elo
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.elo import Elo
from tests.contest.fake_game import finished


def outcome(
    seats: Sequence[str], ranks: Sequence[int], seed: int = 0, *, scores: Sequence[float] = (), **more: Any
) -> GameSummary:
    """One game."""
    return finished(ScheduledGame(tuple(seats), seed), ranks, scores, **more)


def pair(one: str, other: str, seed: int, first: float, second: float) -> list[GameSummary]:
    """Two games of a deal, seats swapped, by the points of ``one``."""
    ranks = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}
    return [outcome((one, other), ranks[first], seed), outcome((other, one), ranks[1 - second], seed)]


def played(
    rng: random.Random, worth: Mapping[str, float], seats: int, deals: int, draws: float = 0.0
) -> list[GameSummary]:
    """Games of agents with these worths, drawn by the model; every deal with all rotations of its seats."""
    games = []
    for seed in range(deals):
        table = rng.sample(list(worth), seats)
        for turned in range(seats):
            at = [*table[turned:], *table[:turned]]
            luck = [worth[name] - math.log(-math.log(rng.random())) for name in at]
            ranks = [1 + sum(other > own for other in luck) for own in luck]
            games.append(outcome(at, [1] * seats if rng.random() < draws else ranks, seed))
    return games


_TABLES = ("ab", "ba", "bc", "ca", "de", "ea", "abc", "cde", "bda", "abcd", "dbca", "ecab")


def outcomes(least: int = 0) -> st.SearchStrategy[list[GameSummary]]:
    """Any games of up to five agents, with ties, at tables of two to four; some of them nobody won."""
    game = st.tuples(st.sampled_from(_TABLES), st.integers(0, 3), st.lists(st.integers(1, 4), min_size=4, max_size=4))
    return st.lists(game, min_size=least, max_size=12).map(lambda games: [_ranked(*each) for each in games])


def _ranked(seats: str, seed: int, levels: Sequence[int]) -> GameSummary:
    at = levels[: len(seats)]
    ranks = [1 + sum(other < own for other in at) for own in at]
    if set(at) == {4}:
        ranks = [2] * len(seats)
    return outcome(seats, ranks, seed, scores=[float(5 - rank) for rank in ranks])


def counted(counts: Sequence[int]) -> Sample:
    """Return a sample from the counts of equally spaced scores from 0 to 1."""
    sample = Sample()
    for place, count in enumerate(counts):
        sample.add(place / (len(counts) - 1), count)
    return sample


def elo_of_games(wins: int, draws: int, losses: int) -> Elo:
    """Estimate from independent games."""
    return elo.of_sample(counted([losses, draws, wins]), wins + draws + losses)


def elo_of_pairs(counts: Sequence[int]) -> Elo:
    """Estimate from the numbers of game pairs that scored 0, 0.5, 1, 1.5 and 2 points."""
    return elo.of_sample(counted(counts), 2 * sum(counts))
