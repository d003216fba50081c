"""Maximum likelihood ratings."""

from __future__ import annotations

import math
import random
from itertools import product
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics import elo, matrix
from arbiter.contest.statistics.elo import ELO_PER_NAT
from arbiter.contest.statistics.likelihood import Likelihood, RankedGame
from arbiter.contest.statistics.pairs import deal_of
from arbiter.contest.statistics.plackett_luce import Fit, fit
from tests.contest.statistics.making import elo_of_games, outcome, outcomes, pair, played
from tests.contest.statistics.test_rankings import log_likelihood

pytestmark = pytest.mark.slow

NASCAR = Path(__file__).parent / "nascar_2002.txt"
"""The 36 races of the season as orders of drivers; those who only ever came last left out. Data of D. Hunter."""

BASEBALL = """
Milwaukee Detroit 7 6, Milwaukee Toronto 9 4, Milwaukee NewYork 7 6, Milwaukee Boston 7 6, Milwaukee Cleveland 9 4,
Milwaukee Baltimore 11 2, Detroit Toronto 7 6, Detroit NewYork 5 8, Detroit Boston 11 2, Detroit Cleveland 9 4,
Detroit Baltimore 9 4, Toronto NewYork 7 6, Toronto Boston 7 6, Toronto Cleveland 8 5, Toronto Baltimore 12 1,
NewYork Boston 6 7, NewYork Cleveland 7 6, NewYork Baltimore 10 3, Boston Cleveland 7 6, Boston Baltimore 12 1,
Cleveland Baltimore 6 7
"""

CITATIONS = """
Biometrika Comm 730 33, Biometrika JASA 498 320, Biometrika JRSSB 221 284, Comm JASA 68 813, Comm JRSSB 17 276,
JASA JRSSB 142 325
"""


def duels(table: str) -> list[GameSummary]:
    """Games that stand alone, from a table of how often each of two won."""
    games = []
    for line in table.split(","):
        one, other, ahead, behind = line.split()
        ranks = [(1, 2)] * int(ahead) + [(2, 1)] * int(behind)
        games += [outcome((one, other), each, seed) for seed, each in enumerate(ranks)]
    return games


def above(found: Fit, reference: str) -> dict[str, float]:
    """Logarithms of worth, as the literature gives them."""
    base = found.worth[found.names.index(reference)]
    return {name: worth - base for name, worth in zip(found.names, found.worth, strict=True)}


def test_published_races() -> None:
    """D. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004), table 2, as reproduced by H. Turner and
    others, "Introduction to PlackettLuce": P. Jones, S. Pruett, M. Martin; D. Marcis, D. Trickle, J. Varde."""
    races = [line.split() for line in NASCAR.read_text().splitlines()]
    found = above(fit(outcome(race, range(1, len(race) + 1), at) for at, race in enumerate(races)), "1")
    published = {"58": 4.15, "68": 3.62, "51": 2.08, "15": 0.03, "17": -0.31, "40": -0.15}
    assert {driver: round(found[driver], 2) for driver in published} == published
    assert len(found) == 83


def test_published_baseball() -> None:
    """A. Agresti, "Categorical Data Analysis" (2002), table 10.11."""
    found = above(fit(duels(BASEBALL)), "Baltimore")
    published = {
        "Milwaukee": 1.58, "Detroit": 1.44, "Toronto": 1.29, "NewYork": 1.25, "Boston": 1.11, "Cleveland": 0.68,
    }  # fmt: skip
    assert {team: round(found[team], 2) for team in published} == published


def test_published_standard_errors() -> None:
    """H. Turner and D. Firth, "Bradley-Terry Models in R: The BradleyTerry2 Package" (2012), section 2.1."""
    games = duels(CITATIONS)
    found = fit(games)
    worth = above(found, "Biometrika")
    assert [round(worth[name], 5) for name in ("Comm", "JASA", "JRSSB")] == [-2.94907, -0.47957, 0.26895]
    ranked = [
        RankedGame(deal_of(one.game), [found.names.index(name) for name in one.game.seats], one.ranks) for one in games
    ]
    model = matrix.inverse(Likelihood(ranked, found.groups, set()).curvature(found.worth))
    errors = [math.sqrt(model[0][0] + model[at][at] - 2 * model[0][at]) for at in (1, 2, 3)]
    assert errors == pytest.approx([0.10255, 0.06059, 0.07083], abs=5e-6)
    for name, error in zip(("Comm", "JASA", "JRSSB"), errors, strict=True):  # and so many games alone scatter as much
        lead = found.lead(name, "Biometrika")
        assert lead is not None
        assert (lead[2] - lead[1]) / 2 == pytest.approx(1.96 * error * ELO_PER_NAT, rel=0.02)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.integers(0, 30), st.integers(1, 30))
def test_of_two_agents_the_lead_is_that_of_the_score(wins: int, draws: int, losses: int) -> None:
    ranks = [(1, 2)] * wins + [(1, 1)] * draws + [(2, 1)] * losses
    ratings = fit(outcome("ab", each, seed) for seed, each in enumerate(ranks)).ratings()
    by_name = {rating.name: rating.elo for rating in ratings}
    assert by_name["a"] - by_name["b"] == pytest.approx(elo_of_games(wins, draws, losses).elo, abs=1e-6)
    assert by_name["a"] + by_name["b"] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("draws", [0.0, 0.7])
def test_of_two_agents_the_interval_is_that_of_the_pairs(draws: float) -> None:
    games = played(random.Random(1), {"a": 0.2, "b": -0.2}, 2, 300, draws)
    lead, match = fit(games).lead("a", "b"), elo.of_match(games, "a", "b")
    assert lead is not None
    assert lead == pytest.approx((match.elo, match.low, match.high), abs=0.06 * match.margin)


@settings(max_examples=15, deadline=None)
@given(outcomes(least=6))
def test_no_worths_on_a_grid_are_likelier(games: list[GameSummary]) -> None:
    found = fit(games)
    if found.held or len(found.groups) > 1:
        return

    def total(worth: list[float]) -> float:
        index = {name: math.exp(value) for name, value in zip(found.names, worth, strict=True)}
        return sum(log_likelihood(one.ranks, [index[name] for name in one.game.seats]) for one in games)

    best = total(list(found.worth))
    for steps in product((-0.2, 0.0, 0.2), repeat=len(found.names) - 1):
        moved = [value + step for value, step in zip(found.worth, (*steps, 0.0), strict=True)]
        assert total(moved) <= best + 1e-9
    assert any(total([*found.worth[:-1], found.worth[-1] + step]) < best for step in (-0.2, 0.2))


@settings(max_examples=40, deadline=None)
@given(outcomes(), st.randoms(use_true_random=False))
def test_the_order_of_games_does_not_matter_at_all(games: list[GameSummary], rng: random.Random) -> None:
    unique = {one.game: one for one in games}
    shuffled = list(unique.values())
    rng.shuffle(shuffled)
    assert fit(shuffled) == fit(unique.values())


@settings(max_examples=30, deadline=None)
@given(outcomes())
def test_names_do_not_matter(games: list[GameSummary]) -> None:
    """Also where they change the order in which everything is added up."""
    renamed = [
        outcome([name.translate(str.maketrans("abcde", "edcba")) for name in g.game.seats], g.ranks, g.game.seed)
        for g in games
    ]
    here = {rating.name: rating for rating in fit(games).ratings()}
    for rating in fit(renamed).ratings():
        same = here[rating.name.translate(str.maketrans("abcde", "edcba"))]
        assert (rating.elo, rating.margin) == pytest.approx((same.elo, same.margin), abs=1e-3)


@settings(max_examples=40, deadline=None)
@given(outcomes())
def test_every_group_has_mean_0_and_honest_intervals(games: list[GameSummary]) -> None:
    found = fit(games, "abcdef")
    assert sorted(rating.name for rating in found.ratings()) == list("abcdef")
    for group in range(len(found.groups)):
        members = [rating for rating in found.ratings() if rating.group == group]
        assert sum(rating.elo for rating in members) == pytest.approx(0, abs=1e-6)
        assert all(math.isfinite(rating.elo) and rating.low <= rating.elo <= rating.high for rating in members)
        assert all(rating.margin > 50 for rating in members)  # a dozen games cannot know more
    msgspec.json.encode(found)


def test_ranked_first_at_larger_tables_counts_for_more_than_a_duel() -> None:
    games = [
        outcome("abcd", ranks, seed)
        for seed, ranks in enumerate([(1, 2, 3, 4), (1, 3, 2, 4), (2, 1, 3, 4), (4, 3, 2, 1)])
    ]
    assert [rating.name for rating in fit(games).ratings()] == ["a", "b", "c", "d"]


def test_an_agent_that_won_every_game_is_held_and_listed() -> None:
    games = [game for seed in range(20) for game in pair("a", "b", seed, 1, 1)]
    found = fit(games)
    best = found.ratings()[0]
    assert [found.names[index] for index in found.held] == ["a", "b"]
    assert best.name == "a"
    assert 100 < best.elo < 1000
    assert best.low < elo.of_match(games, "a", "b").low / 2 + 30  # no more sure of it than the pairs are


def test_one_loss_frees_them() -> None:
    games = [game for seed in range(20) for game in pair("a", "b", seed, 1, 1)]
    assert fit([*games, outcome("ab", (2, 1), 99)]).held == []


def test_agents_that_never_met_are_not_compared() -> None:
    games = [*pair("a", "b", 1, 1, 0), *pair("c", "d", 1, 1, 0.5), *pair("d", "e", 1, 1, 0)]
    found = fit(games, ["f"])
    assert [rating.name for rating in found.ratings()] == ["c", "d", "e", "a", "b", "f"]
    assert [rating.group for rating in found.ratings()] == [0, 0, 0, 1, 1, 2]
    assert found.lead("a", "c") is None
    assert found.lead("a", "b") is not None
    assert found.ratings()[-1].margin == math.inf


def test_a_chain_of_opponents_connects() -> None:
    games = [
        game for one, other in ("ab", "bc", "cd") for seed in range(4) for game in pair(one, other, seed, 1, seed % 2)
    ]
    found = fit(games)
    assert (len(found.groups), found.held) == (1, [])
    assert [rating.name for rating in found.ratings()] == list("abcd")


def test_without_games_there_are_no_ratings() -> None:
    assert fit([]).ratings() == []
    assert fit([outcome("a", (1,))]).ratings() == []
    assert fit([outcome("aa", (1, 2))], "a").ratings()[0].margin == math.inf


def test_deals_that_repeat_themselves_count_once() -> None:
    rng = random.Random(4)
    alone = [outcome("ab", rng.choice([(1, 2), (2, 1)]), seed) for seed in range(200)]
    twice = [
        outcome(seats, ranks, one.game.seed)
        for one in alone
        for seats, ranks in (("ab", one.ranks), ("ba", one.ranks[::-1]))
    ]
    assert fit(twice).ratings()[0].margin == pytest.approx(fit(alone).ratings()[0].margin, rel=0.02)


def test_a_few_deals_that_agree_are_not_taken_for_certainty() -> None:
    games = [game for seed in range(3) for game in pair("a", "b", seed, 1, 0)]
    assert fit(games).ratings()[0].margin > 80


@pytest.mark.parametrize(("seats", "draws"), [(2, 0.0), (2, 0.5), (4, 0.0)])
def test_95_percent_of_the_intervals_hold_the_truth(seats: int, draws: float) -> None:
    rng = random.Random(seats)
    worth = {"a": 0.6, "b": 0.2, "c": -0.2, "d": -0.6}
    if draws:  # then the score is nearer to a half: an agent against its like
        worth = dict.fromkeys("abcd", 0.0)
    held = trials = 0
    for _ in range(60):
        for rating in fit(played(rng, worth, seats, 60, draws)).ratings():
            held += rating.low <= worth[rating.name] * ELO_PER_NAT <= rating.high
            trials += 1
    assert 0.91 < held / trials < 0.995


def test_a_hundred_agents_are_rated() -> None:
    rng = random.Random(9)
    worth = {f"agent {number}": rng.gauss(0, 1) for number in range(100)}
    found = fit(played(rng, worth, 4, 500))
    assert len(found.groups) == 1
    ranked = [worth[rating.name] for rating in found.ratings()]
    assert sum(ranked[:50]) > sum(ranked[50:]) + 50
