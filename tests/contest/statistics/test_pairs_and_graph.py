"""Which games belong together, and which agents can be compared."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.scheduled import ScheduledGame
from arbiter.contest.statistics.pairs import averages, by_deal, deal_of, head_to_head
from arbiter.contest.statistics.plackett_luce import components
from tests.contest.statistics.making import outcome, pair

EDGES = st.dictionaries(st.sampled_from("abcdefg"), st.sets(st.sampled_from("abcdefg")))


def test_games_belong_together_by_agents_and_seed_whatever_the_seats_and_the_stage() -> None:
    assert deal_of(ScheduledGame(("b", "a"), 3)) == deal_of(ScheduledGame(("a", "b"), 3, "round 2"))
    assert deal_of(ScheduledGame(("b", "a"), 3)) != deal_of(ScheduledGame(("a", "b"), 4))
    assert deal_of(ScheduledGame(("b", "a"), 3)) != deal_of(ScheduledGame(("a", "c"), 3))


def test_deals_come_in_the_order_of_their_first_games() -> None:
    games = [outcome("ab", (1, 2), 7), outcome("ab", (1, 2), 1), outcome("ba", (1, 2), 7)]
    assert [[one.game.seed for one in deal] for deal in by_deal(games).values()] == [[7, 7], [1]]


def test_a_deal_is_averaged_over_the_games_that_have_a_value() -> None:
    games = [*pair("a", "b", 1, 1, 0.5), *pair("a", "c", 2, 1, 1)]
    assert averages(games, lambda game: head_to_head(game, "a", "b")) == [0.75]


def test_a_duel_is_won_by_the_better_rank() -> None:
    game = outcome("abcd", (2, 1, 2, 4))
    assert [head_to_head(game, "a", other) for other in "bcdxa"] == [0.0, 0.5, 1.0, None, None]


@settings(max_examples=50, deadline=None)
@given(EDGES)
def test_within_a_component_everybody_reaches_everybody_and_across_they_do_not(edges: dict[str, set[str]]) -> None:
    groups = components("abcdefg", edges)
    assert sorted(name for group in groups for name in group) == list("abcdefg")
    reach = {name: {name} for name in "abcdefg"}
    for _ in range(7):
        for reached in reach.values():
            reached |= {end for start in list(reached) for end in edges.get(start, ())}
    for one in "abcdefg":
        for other in "abcdefg":
            together = any(one in group and other in group for group in groups)
            assert together == (one in reach[other] and other in reach[one])
