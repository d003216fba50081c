"""Which values a search tries, and that it finds the best ones of a made-up objective."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import pytest

from arbiter.agents.prepare.parameters import Parameter, Value, Values, described
from arbiter.author.candidates import around, spread_candidates

pytestmark = pytest.mark.slow

FLOAT = Parameter(type="float", default=9.0, low=0.0, high=10.0)
LOG = Parameter(type="float", default=1.0, low=0.001, high=1000.0, scale="log")
WORD = Parameter(type="choice", default="a", values=["a", "b", "c"])
INT = Parameter(type="int", default=2, low=1, high=4)


def test_small_ranges_are_tried_completely() -> None:
    tried = spread_candidates({"word": WORD, "depth": INT}, 20)
    assert len(set(map(described, tried))) == len(tried) == 12
    assert tried[0] == {"word": "a", "depth": 2}, "the defaults are first"


def test_candidates_cover_the_ranges_evenly() -> None:
    tried = spread_candidates({"x": FLOAT, "y": LOG}, 60)
    for name, parameter in (("x", FLOAT), ("y", LOG)):
        places = sorted(parameter.share(values[name]) for values in tried)
        assert max(after - before for before, after in pairwise([0.0, *places, 1.0])) < 0.08


def test_a_longer_search_begins_with_the_candidates_of_a_shorter_one() -> None:
    parameters = {"x": FLOAT, "word": WORD}
    assert spread_candidates(parameters, 50)[:21] == spread_candidates(parameters, 20)


def test_later_generations_are_nearer_to_the_best() -> None:
    best: dict[str, Value] = {"x": 9.9, "y": 10.0}
    for generation in (2, 3, 4):
        tried = around({"x": FLOAT, "y": LOG}, [best], generation, 30)
        assert tried[0] == best
        assert len(tried) == 30
        assert max(abs(LOG.share(values["y"]) - LOG.share(best["y"])) for values in tried) <= 0.5**generation + 0.01


def test_the_best_values_of_a_noisy_objective_are_found() -> None:
    """Strength falls with the distance from (3, 10, b); each candidate is judged by the mean of forty noisy looks."""
    parameters = {"x": FLOAT, "y": LOG, "word": WORD}
    luck = Random(1)

    def strength(values: Values) -> float:
        x, y = float(values["x"]), math.log10(float(values["y"]))
        return -((x - 3) ** 2) / 10 - (y - 1) ** 2 / 4 - (values["word"] != "b")

    def looks(values: Values) -> float:
        return strength(values) + sum(luck.gauss(0, 1) for _ in range(40)) / 40

    tried = spread_candidates(parameters, 40)
    for generation in (2, 3):
        tried = around(parameters, sorted(tried, key=looks, reverse=True), generation, 40)
    best = max(tried, key=looks)
    assert best["word"] == "b"
    assert strength(best) > -0.25 > strength(spread_candidates(parameters, 40)[0]), best
