"""Knockout: the bracket, matches that end when they are decided, and the places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import ceil, log2

from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.knockout import Knockout, bracket, eliminated_per_group
from tests.contest.fake_game import at_leisure, by_luck, by_strength, in_order, names, play_all, ranked


def wins_of(*results: str) -> Callable[[ScheduledGame], GameSummary]:
    """A game of two whose winners are given seed by seed, for the seating as listed by name and the other one: ``ab``,
    ``a=`` with a draw."""

    def play(scheduled: ScheduledGame) -> GameSummary:
        winner = results[scheduled.seed - 1][scheduled.seats != tuple(sorted(scheduled.seats))]
        return ranked(scheduled, *[1 if winner in ("=", agent) else 2 for agent in scheduled.seats])

    return play


def meetings(played: dict[ScheduledGame, GameSummary]) -> dict[str, list[str]]:
    """Return the pairs that met, by stage."""
    found: dict[str, set[str]] = {}
    for scheduled in played:
        found.setdefault(scheduled.stage, set()).add("-".join(sorted(scheduled.seats)))
    return {stage: sorted(matches) for stage, matches in found.items()}


@given(st.integers(1, 200))
def test_in_the_bracket_the_best_of_each_half_and_quarter_are_apart(count: int) -> None:
    order = bracket(count)
    assert sorted(order) == list(range(2 ** ceil(log2(count))))
    size = len(order)
    while size > 1:
        # Among any block of the bracket there is one of the best seeds and as many in each block.
        blocks = [order[at : at + size] for at in range(0, len(order), size)]
        assert sorted(min(block) for block in blocks) == list(range(len(blocks)))
        size //= 2


def test_the_best_seeds_meet_last_and_have_the_byes() -> None:
    agents = list("abcdef")
    played = play_all(Knockout(best_of=2), agents, in_order(agents))
    assert meetings(played) == {"quarter-final": ["c-f", "d-e"], "semi-final": ["a-d", "b-c"], "final": ["a-b"]}


@at_leisure
@given(st.integers(2, 40), st.integers(1, 5), st.integers(0, 2), st.booleans(), st.integers(0, 9))
def test_each_agent_but_one_loses_one_match(count: int, best_of: int, extra: int, third: bool, luck: int) -> None:
    agents = names(count)
    schedule = Knockout(best_of=best_of, extra=extra, third_place=third)
    played = play_all(schedule, agents, by_luck(luck))
    matches = {(scheduled.stage, frozenset(scheduled.seats)) for scheduled in played}
    assert len(matches) == count - 1 + (third and count > 3)
    lengths = Counter((scheduled.stage, frozenset(scheduled.seats)) for scheduled in played)
    assert max(lengths.values()) <= 2 * (schedule.most_seeds + extra)
    assert schedule.total(agents, played) == len(played)
    places = Counter(position.place for position in schedule.final_order(agents, played))
    assert places[1] == places[2] == 1
    if third and count > 3:
        assert places[3] == places[4] == 1
    elif count > 3:
        assert places[3] == 2
    assert sum(places.values()) == count


@at_leisure
@given(st.integers(2, 33))
def test_the_stronger_always_winning_gives_the_seeding_back(count: int) -> None:
    agents = names(count)
    schedule = Knockout(best_of=2, third_place=True)
    order = schedule.final_order(agents, play_all(schedule, agents, in_order(agents)))
    assert [position.agent for position in order[:4]] == agents[:4]
    for position in order[4:]:
        size = 2 ** ceil(log2(agents.index(position.agent) + 1))
        assert position.place == size // 2 + 1


def test_a_match_ends_when_it_is_decided() -> None:
    schedule = Knockout(best_of=6)
    assert len(play_all(schedule, ["a", "b"], wins_of("aa", "aa"))) == 4
    assert len(play_all(schedule, ["a", "b"], wins_of("aa", "ab", "aa"))) == 6
    assert len(play_all(schedule, ["a", "b"], wins_of("aa", "a=", "ab"))) == 4


def test_the_best_of_an_odd_number_ends_early_or_with_a_whole_seed() -> None:
    schedule = Knockout(best_of=3)
    assert len(play_all(schedule, ["a", "b"], wins_of("bb"))) == 2
    assert len(play_all(schedule, ["a", "b"], wins_of("ab", "bb"))) == 4
    assert len(play_all(schedule, ["a", "b"], wins_of("a=", "=="))) == 4


def test_batches_are_the_next_seed_of_every_match_that_is_undecided() -> None:
    agents = list("abcd")
    schedule = Knockout(best_of=4, seed=1)
    first = schedule.next_games(agents, {})
    assert [(scheduled.seats, scheduled.seed) for scheduled in first] == [
        (("a", "d"), 1),
        (("d", "a"), 1),
        (("b", "c"), 1),
        (("c", "b"), 1),
    ]
    game = by_strength({"a": 2, "d": 1, "b": 0, "c": 0})
    played = {scheduled: game(scheduled) for scheduled in first}
    second = schedule.next_games(agents, played)
    assert {(frozenset(scheduled.seats), scheduled.seed) for scheduled in second} == {
        (frozenset("ad"), 2),
        (frozenset("bc"), 2),
    }
    played |= {scheduled: game(scheduled) for scheduled in second}
    third = schedule.next_games(agents, played)
    assert {(frozenset(scheduled.seats), scheduled.seed) for scheduled in third} == {(frozenset("bc"), 3)}


def test_after_the_extra_seeds_of_a_drawn_match_the_better_seed_advances() -> None:
    for extra in (0, 1, 3):
        schedule = Knockout(best_of=2, extra=extra)
        agents = ["z", "y"]
        played = play_all(schedule, agents, by_strength({"y": 0, "z": 0}))
        assert len(played) == 2 + 2 * extra
        assert [position.agent for position in schedule.final_order(agents, played)] == ["z", "y"]
    agents = ["b", "a"]
    decided = play_all(Knockout(best_of=2, extra=3), agents, wins_of("==", "ab", "=a"))
    assert len(decided) == 6
    assert Knockout(best_of=2, extra=3).final_order(agents, decided)[0].agent == "a"


def test_agents_that_are_still_in_share_first_place_until_the_rest_is_played() -> None:
    agents = list("abcd")
    schedule = Knockout(best_of=2)
    game = in_order(agents)
    played = {scheduled: game(scheduled) for scheduled in schedule.next_games(agents, {})}
    order = schedule.final_order(agents, played)
    assert [(position.agent, position.place, position.note) for position in order] == [
        ("a", 1, "still in"),
        ("b", 1, "still in"),
        ("c", 3, "semi-final"),
        ("d", 3, "semi-final"),
    ]
    assert schedule.total(agents, played) == 6


def test_sixteen_at_tables_of_four_are_four_groups_then_two_then_the_final() -> None:
    agents = names(16)
    schedule = Knockout(seats=4, best_of=4)
    played = play_all(schedule, agents, in_order(agents))
    tables = meetings(played)
    assert {stage: len(groups) for stage, groups in tables.items()} == {"round 1": 4, "round 2": 2, "final": 1}
    assert "-".join(sorted(agents[index] for index in (0, 7, 8, 15))) in tables["round 1"]
    order = schedule.final_order(agents, played)
    assert [position.agent for position in order[:4]] == agents[:4]
    assert [position.place for position in order] == [1, 2, 3, 4] + [5] * 4 + [9] * 8


@at_leisure
@given(st.integers(3, 4), st.data(), st.integers(0, 9))
def test_groups_of_any_number_of_agents_come_down_to_a_final(seats: int, data: st.DataObject, luck: int) -> None:
    advance, count = data.draw(st.integers(1, seats - 1)), data.draw(st.integers(seats, 30))
    agents, schedule = names(count), Knockout(seats=seats, advance=advance, best_of=seats, extra=1)
    assert schedule.total(agents, {}) > 0
    played = play_all(schedule, agents, by_luck(luck))
    assert schedule.total(agents, played) == len(played)
    places = Counter(position.place for position in schedule.final_order(agents, played))
    assert [places[place] for place in range(1, seats + 1)] == [1] * seats
    assert sum(places.values()) == count
    seated = Counter(
        (scheduled.stage, agent, seat) for scheduled in played for seat, agent in enumerate(scheduled.seats)
    )
    for stage, agent, _ in seated:
        assert len({seated[stage, agent, seat] for seat in range(seats)}) == 1


@given(st.integers(2, 4), st.data())
def test_a_round_of_groups_never_leaves_too_few_for_the_final(seats: int, data: st.DataObject) -> None:
    advance, count = data.draw(st.integers(1, seats - 1)), data.draw(st.integers(seats + 1, 500))
    while count > seats:
        drops = eliminated_per_group(count, seats, advance)
        assert len(drops) * seats <= count
        assert all(1 <= drop <= seats - advance for drop in drops)
        count -= sum(drops)
    assert count == seats


def test_one_more_agent_replays_no_match_that_comes_again() -> None:
    agents = names(8)
    game = in_order(agents)
    played = play_all(Knockout(best_of=2), agents[:7], game)
    added = {scheduled for scheduled in play_all(Knockout(best_of=2), agents, game, played) if scheduled not in played}
    assert meetings({scheduled: game(scheduled) for scheduled in added}) == {
        "quarter-final": ["-".join(sorted((agents[0], agents[7])))]
    }
