"""One rule for wins, draws, losses and points, wherever they are counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.schedules.points import points_by_agent
from arbiter.contest.statistics.standings import compute_standings
from arbiter.playing.report import add_up
from arbiter.records.scoring import SCORINGS, SeatResult, compare_ranks, points, seat_result
from tests.contest.statistics.making import outcome
from tests.records.games import summary

WON, DREW, LOST = SeatResult


@pytest.mark.parametrize(
    ("ranks", "results"),
    [
        ((1, 2), (WON, LOST)),
        ((1, 1), (DREW, DREW)),
        ((2, 2), (LOST, LOST)),  # nobody won
        ((2, 3), (LOST, LOST)),  # nobody won, although one was ahead
        ((3, 1, 1), (LOST, DREW, DREW)),
        ((1,), (WON,)),
        ((2,), (LOST,)),
    ],
)
def test_the_best_rank_alone_wins_and_shared_draws(ranks: tuple[int, ...], results: tuple[SeatResult, ...]) -> None:
    assert tuple(seat_result(ranks, seat) for seat in range(len(ranks))) == results


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ((1, 2), (1, 0)),
        ((1, 1), (0.5, 0.5)),
        ((2, 2), (0, 0)),  # nobody won
        ((2, 3), (0, 0)),  # nobody won, although one was ahead
        ((3, 2), (0, 0)),
        ((1, 2, 2, 4), (1, 0.5, 0.5, 0)),
        ((1, 1, 1, 4), (2 / 3, 2 / 3, 2 / 3, 0)),
        ((3, 1, 1), (0, 0.75, 0.75)),
        ((1,), (1,)),
        ((2,), (0,)),
    ],
)
def test_points_are_the_share_of_opponents_ranked_behind(ranks: tuple[int, ...], expected: tuple[float, ...]) -> None:
    assert tuple(points(ranks, seat, "places") for seat in range(len(ranks))) == pytest.approx(expected)


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4))
def test_a_game_that_somebody_won_has_half_a_point_for_every_seat(ranks: list[int]) -> None:
    expected = len(ranks) / 2 if 1 in ranks else 0
    assert sum(points(ranks, seat, "places") for seat in range(len(ranks))) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ((1, 2, 3, 4), (1, 0, 0, 0)),
        ((3, 1, 1, 4), (0, 0.5, 0.5, 0)),
        ((1, 1, 1), (1 / 3, 1 / 3, 1 / 3)),
        ((2, 3, 4), (0, 0, 0)),  # nobody won, although one was ahead
        ((2, 2), (0, 0)),
        ((2,), (0,)),
    ],
)
def test_the_winner_takes_the_point_and_tied_winners_share_it(
    ranks: tuple[int, ...], expected: tuple[float, ...]
) -> None:
    assert tuple(points(ranks, seat, "winner") for seat in range(len(ranks))) == pytest.approx(expected)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_by_winner_a_game_gives_one_point_or_none(ranks: list[int]) -> None:
    got = [points(ranks, seat, "winner") for seat in range(len(ranks))]
    assert sum(got) == pytest.approx(1 if 1 in ranks else 0)
    assert all((value > 0) == (rank == 1) for value, rank in zip(got, ranks, strict=True))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=2))
def test_both_scorings_agree_for_up_to_two_seats(ranks: list[int]) -> None:
    for seat in range(len(ranks)):
        assert points(ranks, seat, "winner") == points(ranks, seat, "places")


@given(st.integers(1, 4), st.integers(1, 4))
def test_two_seats_share_one_point_between_them(own: int, other: int) -> None:
    assert compare_ranks(own, other) + compare_ranks(other, own) == 1
    assert points([own, other], 0, "places") == (compare_ranks(own, other) if 1 in (own, other) else 0)


@pytest.mark.parametrize(("rank", "won"), [(1, True), (2, False)])
def test_every_count_of_a_game_with_one_seat_agrees(rank: int, won: bool) -> None:
    """Standings, schedules and the report of a series; schedules used to give a winner without opponents 0 points."""
    alone = outcome("a", (rank,))
    row = compute_standings([alone]).rows[0]
    assert (row.wins, row.draws, row.losses, row.points) == (won, 0, not won, won)
    assert all(points_by_agent([alone], scoring) == {"a": [float(won)]} for scoring in SCORINGS)
    total = add_up(["a"], [summary("a", [rank], [0.0])])["a"]
    assert (total.wins, total.draws, total.losses) == (won, 0, not won)
