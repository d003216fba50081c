"""What formats are made of: escaped text, names cut to size, scales and labels, figures as people read them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.formats import grids
from arbiter.contest.formats.plain import plain, short_names
from arbiter.contest.formats.svg import Scale, path, spread_labels, ticks
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.statistics import wording
from arbiter.contest.statistics.wording import Estimate
from tests.contest.fake_game import finished
from tests.contest.formats.making import HOSTILE, made


@given(st.text(max_size=60), st.integers(5, 40))
def test_plain_text_is_printable_and_no_longer_than_wanted(text: str, most: int) -> None:
    assert plain(text, most).isprintable()
    assert len(plain(text, most)) <= most


@given(st.lists(st.text("ab\n…~2", max_size=12), unique=True, max_size=12), st.integers(6, 10))
def test_names_that_are_cut_stay_distinct(names: list[str], most: int) -> None:
    short = short_names(names, most)
    assert len(set(short.values())) == len(names)
    assert all(len(name) <= most and name.isprintable() for name in short.values())


def test_long_names_with_the_same_beginning_show_their_ends() -> None:
    short = short_names(HOSTILE)
    assert short["x" * 300] == "x" * 23 + "…"
    assert short["x" * 299 + "y"].endswith("xxy")
    assert len(set(short.values())) == len(HOSTILE)


@given(st.lists(st.floats(0, 100), max_size=6))
def test_labels_keep_their_order_and_their_distance(wanted: list[float]) -> None:
    places = spread_labels(wanted, 15, 0, 100)
    assert all(-1e-9 <= place <= 100 + 1e-9 for place in places)
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    assert all(places[after] - places[before] >= 15 - 1e-9 for before, after in itertools.pairwise(order))


def test_labels_with_room_stay_where_they_are() -> None:
    assert spread_labels([50, 10, 90], 15, 0, 100) == [50, 10, 90]


@given(st.floats(-1000, 1000), st.floats(0.01, 1000), st.integers(3, 9))
def test_ticks_are_inside_and_evenly_spaced(low: float, span: float, about: int) -> None:
    found = ticks(low, low + span, about)
    assert 1 <= len(found) <= about + 1
    assert all(low - 1e-6 * span <= tick <= low + span * (1 + 1e-6) for tick in found)


def test_ticks_are_round_figures() -> None:
    assert ticks(-7, 23, 6) == [-5, 0, 5, 10, 15, 20]
    assert ticks(0.31, 0.72) == [0.4, 0.5, 0.6, 0.7]
    assert ticks(5, 5) == [5]


def test_a_scale_of_one_figure_does_not_divide_by_nothing() -> None:
    assert Scale(3, 3, 10, 20)(3) == 10
    assert path([(1, 2), None, (3.04, 4), (5, 6.06)]) == "M1 2M3 4L5 6.1"


@pytest.mark.parametrize(
    ("value", "said"), [(15.0, "15"), (0.333, "0.33"), (12.5, "12.5"), (-0.001, "0"), (100, "100"), (-2.5, "−2.5")]
)
def test_numbers_have_no_more_digits_than_they_need(value: float, said: str) -> None:
    assert wording.compact(value) == said


@pytest.mark.parametrize(("value", "said"), [(34.4, "+34"), (-12.6, "−13"), (3.21, "+3.2"), (0.0, "0"), (-0.04, "0")])
def test_differences_have_a_sign(value: float, said: str) -> None:
    assert wording.signed(value) == said


def test_unknown_ends_of_intervals_are_left_out() -> None:
    assert wording.score(Estimate(0.625, 0.53, 0.71)) == "62 % (53–71)"
    assert wording.score(Estimate(0.625, 0.61, 0.64)) == "62.5 % (61.0–64.0)"
    assert wording.score(None) == "–"
    assert wording.rating(Estimate(85.2, 20.0, 150.0)) == "+85 ±65"
    assert wording.rating(Estimate(3.21, 1.0, 5.0)) == "+3.2 ±2"
    assert wording.rating(Estimate(100.0, -500.0, 700.0)) == "+100 ±600"
    assert wording.rating(Estimate(0.0, None, None)) == "–"
    assert wording.elo_lead(Estimate(34.0, 12.0, 57.0)) == "+34 (+12 to +57)"
    assert wording.elo_lead(Estimate(None, 120.0, None)) == "at least +120"
    assert wording.elo_lead(Estimate(None, None, -120.0)) == "at most −120"
    assert wording.elo_lead(Estimate(0.0, None, None)) == "unknown"
    assert [wording.probability(value) for value in (0.826, 0.99999, 0.0)] == ["82.6 %", "> 99.9 %", "< 0.1 %"]


def test_lists_are_joined_with_and() -> None:
    assert wording.joined(["a"]) == "a"
    assert wording.joined(["a", "b", "c"]) == "a, b and c"
    assert wording.joined(list("abcdefgh"), 4) == "a, b, c and 5 others"
    assert wording.faults({"late": 1, "crashed": 3}) == "3 crashed, 1 late"


def test_a_mean_score_of_0_is_printed_unless_the_game_has_no_points() -> None:
    def scored(*scores: float) -> list[str]:
        def play(scheduled: ScheduledGame) -> GameSummary:
            by_name = dict(zip("ab", scores, strict=True))
            return finished(scheduled, (1, 1), [by_name[name] for name in scheduled.seats])

        table = grids.standings(made({"kind": "round_robin"}, ["a", "b"], play), {"a": "a", "b": "b"})
        column = list(table.head).index(heading) if (heading := "mean score in the game") in table.head else None
        return [] if column is None else sorted(row[column] for row in table.rows)

    assert scored(0, 12.5) == ["0", "12.5"]
    assert scored(0, 0) == []
