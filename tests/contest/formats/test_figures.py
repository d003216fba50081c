"""Figures in every format: none with more digits than anybody reads, and one Elo for one agent."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.formats import FORMATS, formatter
from arbiter.contest.report import build_report
from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics.wording import percent
from arbiter.playing.report import add_up
from arbiter.text import format_number
from tests.contest.fake_game import SECONDARY
from tests.contest.formats.making import contest, ended
from tests.contest.statistics.making import outcomes, pair
from tests.records.games import summary

pytestmark = pytest.mark.slow

UGLY = re.compile(r"(?<![\w.#])-?\d+\.\d{7,}|(?<![\w#])\d(?:\.\d+)?e[-+]?\d+\b|(?<![\w.])-0(?:\.0*)?(?![\w.:-])")
"""Long fractions, powers of ten, and minus zero."""


@st.composite
def games_with_scores(draw: st.DrawFn) -> list[GameSummary]:
    """Games whose scores are sums of tenths and thirds, as floating-point numbers have them."""
    found = draw(outcomes(least=1))
    parts = st.integers(-60, 60).map(
        lambda tenths: sum([0.1] * abs(tenths)) * (1 if tenths > 0 else -1) + 1 / 3 - 1 / 3
    )
    return [
        msgspec.structs.replace(
            each,
            scores=[draw(parts) for _ in each.ranks],
            data={SECONDARY: [draw(parts) for _ in each.ranks]},
            think_us=[draw(st.integers(0, 999_999)) for _ in each.ranks],
            answers=[7] * len(each.ranks),
        )
        for each in found
    ]


@settings(max_examples=40, deadline=None)
@given(games_with_scores())
def test_no_format_has_a_figure_that_nobody_can_read(games: list[GameSummary]) -> None:
    of = contest({"kind": "round_robin"}, "abcde")
    found = build_report(of, ended(of, list({one.game: one for one in games}.values()), complete=False))
    for name in FORMATS:
        assert not UGLY.search(formatter(name)(found)), name


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (0.0, "0"),
        (-0.0, "0"),
        (5.3e-14, "0"),
        (-1e-9, "0"),
        (1.9999999999999998, "2"),
        (2.5, "2.50"),
        (-3, "-3"),
    ],
)
def test_a_score_is_printed_without_needless_digits(value: float, said: str) -> None:
    assert format_number(value) == said


def test_a_share_is_never_minus_zero() -> None:
    assert percent(-1e-17) == "0 %"
    assert percent(-1e-17, 1) == "0.0 %"


def test_the_totals_of_a_series_are_rounded() -> None:
    games = [summary("ab", [2, 1], [0.1, 0.2])] * 3
    assert [total.score for total in add_up(["a", "b"], games).values()] == [0.3, 0.6]


@pytest.mark.parametrize(
    "points", [[(1.0, 1.0)], [(1.0, 0.0)], [(1.0, 1.0)] * 2, [(0.5, 0.5)], [(1.0, 1.0), (0.0, 1.0)]]
)
def test_an_elo_that_is_a_number_in_one_place_is_a_number_in_all(points: Sequence[tuple[float, float]]) -> None:
    match = contest({"kind": "round_robin", "games": 2}, ["new", "old"])
    games = [game for seed, (first, second) in enumerate(points) for game in pair("new", "old", seed, first, second)]
    found = build_report(match, ended(match, games))
    for name in ("text", "markdown"):
        assert not re.search(r"(?<![\w&])\?(?!\w)", formatter(name)(found)), name
