"""Ranks follow from scores."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arbiter.game import ranks_from_scores


@given(st.lists(st.integers(0, 5), max_size=6), st.data())
def test_a_rank_is_one_more_than_the_number_of_seats_ahead(scores: list[int], data: st.DataObject) -> None:
    defeated = data.draw(st.sets(st.integers(0, len(scores))))

    def ahead(one: int, other: int) -> bool:
        if (one in defeated) != (other in defeated):
            return other in defeated
        return one not in defeated and scores[one] > scores[other]

    seats = range(len(scores))
    naive = [1 + len([other for other in seats if ahead(other, seat)]) for seat in seats]
    if all(seat in defeated for seat in seats):
        naive = [2] * len(scores)
    assert ranks_from_scores(scores, defeated=defeated) == tuple(naive)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-2, 0)), max_size=6))
def test_a_higher_score_ranks_better_and_tuples_break_ties_in_order(scores: list[tuple[int, int]]) -> None:
    ranks = ranks_from_scores(scores)
    best_first = sorted(scores, reverse=True)
    assert list(ranks) == [best_first.index(score) + 1 for score in scores]


def test_no_seat_wins_when_all_are_defeated() -> None:
    assert ranks_from_scores([30, 10, 20], defeated=range(3)) == (2, 2, 2)
