"""A season and its elimination, compared with the rules of the contest of Heroes."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules import season_table
from arbiter.contest.schedules.season import Season
from arbiter.contest.schedules.season_format import EliminationStage, SeasonRound
from arbiter.errors import UserError
from tests.contest.fake_game import at_leisure, by_luck, by_strength, in_order, names, play_all, ranked
from tests.contest.schedules.heroes_season import heroes_season

LEAGUE = heroes_season(elimination=())


def points(schedule: Season, agents: list[str], played: dict[ScheduledGame, GameSummary]) -> dict[str, float]:
    return {position.agent: position.figures["season points"] for position in schedule.final_order(agents, played)}


@at_leisure
@given(st.integers(4, 30), st.integers(1, 3), st.integers(1, 2))
def test_in_every_round_everyone_has_every_seat_equally_often(count: int, first: int, second: int) -> None:
    agents = names(count)
    season = (
        SeasonRound(name="one", points=(3, 2, 1, 0), games=4 * first),
        SeasonRound(name="two", points=(6, 4, 2, 0), games=4 * second),
    )
    schedule = heroes_season(season=season, elimination=())
    played = play_all(schedule, agents, by_luck())
    assert len(played) == schedule.total(agents, {}) == count * (first + second)
    sat = Counter((scheduled.stage, agent, seat) for scheduled in played for seat, agent in enumerate(scheduled.seats))
    assert sat == {
        (name, agent, seat): laps
        for name, laps in (("one", first), ("two", second))
        for agent in agents
        for seat in range(4)
    }


def test_an_agent_that_comes_late_plays_from_a_later_round_on_and_changes_nothing_before() -> None:
    early, everyone = names(6), names(7)
    schedule = LEAGUE.admitting(everyone[-1], ["round 1"])
    played = play_all(schedule, everyone, by_luck())
    assert len(played) == schedule.total(everyone, {}) == 6 + 7
    first, second = schedule.unfold(everyone, played)
    assert first == next(LEAGUE.unfold(early, {}))
    assert Counter(agent for game in second.games for agent in game.seats) == dict.fromkeys(everyone, 4)
    assert len(schedule.final_order(everyone, played)) == 7
    with pytest.raises(UserError, match="the last round of the season has begun: 'g' can only play games out of"):
        LEAGUE.admitting("g", ["round 1", "round 2"])
    with pytest.raises(UserError, match="unknown round 'round 3'"):
        heroes_season(elimination=(), late={"a": "round 3"}).check(list("abcd"))


@pytest.mark.parametrize(
    ("ranks", "first_round", "second_round"),
    [
        ((1, 2, 3, 4), (3, 2, 1, 0), (6, 4, 2, 0)),
        ((4, 1, 3, 2), (0, 3, 1, 2), (0, 6, 2, 4)),
        ((1, 2, 2, 4), (3, 1, 1, 0), (6, 2, 2, 0)),  # equal in second place: the points of the third
        ((1, 1, 3, 4), (2, 2, 1, 0), (4, 4, 2, 0)),
        ((1, 2, 3, 3), (3, 2, 0, 0), (6, 4, 0, 0)),
        ((1, 1, 1, 4), (1, 1, 1, 0), (2, 2, 2, 0)),
        ((1, 1, 1, 1), (0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_points_are_those_of_the_lowest_shared_place(
    ranks: tuple[int, ...], first_round: tuple[float, ...], second_round: tuple[float, ...]
) -> None:
    agents = list("abcd")
    games = [stage.games[0] for stage in LEAGUE.unfold(agents, {})]
    for scheduled, wanted in zip(games, (first_round, second_round), strict=True):
        gained = points(LEAGUE, agents, {scheduled: ranked(scheduled, *ranks)})
        assert tuple(gained[agent] for agent in scheduled.seats) == wanted


def test_ties_are_broken_by_the_games_against_each_other() -> None:
    games = [{"a": 3.0, "b": 2.0, "c": 0.0}, {"a": 0.0, "d": 5.0}, {"b": 1.0, "e": 0.0}]
    assert season_table.rank(list("edcba"), games) == [["d"], ["a"], ["b"], ["e", "c"]]


def test_each_of_several_tied_agents_is_compared_with_each_of_the_others() -> None:
    # a beat b by one, b beat c by two, c beat a by one; all have three points, c one game more with the others.
    games = [{"a": 2.0, "b": 1.0}, {"b": 2.0, "c": 0.0}, {"c": 2.0, "a": 1.0}, {"c": 1.0}]
    assert season_table.rank(list("abc"), games) == [["b"], ["a"], ["c"]]


def test_agents_that_are_still_tied_are_compared_again_without_the_rest() -> None:
    # Among all three a and b are level, ahead of c; in their own game b was ahead.
    games = [{"a": 1.0, "b": 2.0}, {"a": 2.0, "c": 0.0}, {"b": 1.0, "c": 1.0}, {"c": 2.0}]
    assert season_table.rank(list("abc"), games) == [["b"], ["a"], ["c"]]


def test_agents_that_are_tied_after_the_season_have_places_by_lot() -> None:
    agents = list("abcde")
    level = by_strength(dict.fromkeys(agents, 0.0))
    played = play_all(LEAGUE, agents, level)
    order = LEAGUE.final_order(agents, played)
    figures = {"season points": 0, "round 1": 0, "round 2": 0}
    assert [(position.place, position.figures, position.note) for position in order] == [
        (place, figures, "season, by lot") for place in range(1, 6)
    ]
    assert order == LEAGUE.final_order(agents[::-1], play_all(LEAGUE, agents[::-1], level))
    (table,) = LEAGUE.bracket(agents, played)[0].tables
    assert [(entry.agent, entry.place, entry.why) for entry in table] == [
        (position.agent, position.place, "by lot") for position in order
    ]


def test_no_lot_is_drawn_while_the_season_is_being_played() -> None:
    agents = list("abcde")
    played = play_all(LEAGUE, agents, by_strength(dict.fromkeys(agents, 0.0)))
    del played[list(played)[-1]]
    assert [(position.place, position.note) for position in LEAGUE.final_order(agents, played)] == [(1, "season")] * 5
    (table,) = LEAGUE.bracket(agents, played)[0].tables
    assert [(entry.place, entry.why) for entry in table] == [(1, "")] * 5


def test_the_points_of_every_round_are_among_the_figures() -> None:
    agents = names(6)
    order = LEAGUE.final_order(agents, play_all(LEAGUE, agents, by_luck(3)))
    for position in order:
        assert list(position.figures) == ["season points", "round 1", "round 2"]
        assert position.figures["season points"] == position.figures["round 1"] + position.figures["round 2"]
    assert any(position.figures["round 1"] for position in order)


def lots(seed: int, agents: list[str], commitment: str = "") -> list[str]:
    """Return who goes on to a final of four after a season in which all were equal."""
    final = EliminationStage(name="final", takes={"season": (1, 4)}, tables=1)
    schedule = heroes_season(elimination=(final,), seed=seed)
    level = by_strength(dict.fromkeys(agents, 0.0))
    played = play_all(schedule, agents, lambda game: msgspec.structs.replace(level(game), commitment=commitment))
    return sorted(agent for scheduled in played if scheduled.stage == "final" for agent in scheduled.seats)


def test_a_lot_separates_equal_agents_and_their_order_in_the_file_does_not() -> None:
    agents = names(9)
    drawn = [lots(seed, agents) for seed in range(1, 30)]
    assert drawn == [lots(seed, agents[::-1]) for seed in range(1, 30)]
    assert {agent for lucky in drawn for agent in lucky} == set(agents), "everybody is lucky with some seed"


def test_a_lucky_name_cannot_be_chosen_before_the_contest_has_drawn_its_secret() -> None:
    agents = names(9)
    drawn = [lots(1, agents, f"sha256:{number}") for number in range(30)]
    assert {agent for lucky in drawn for agent in lucky} == set(agents), "everybody is lucky with some secret"


@settings(max_examples=25, deadline=None)
@given(st.integers(12, 16), st.integers(0, 50))
def test_house_agents_fill_the_elimination_and_have_no_place(count: int, luck: int) -> None:
    teams, house = names(count), tuple(f"house {number}" for number in range(16 - count))
    agents = [*teams, *house]
    schedule = heroes_season(house=house)
    played = play_all(schedule, agents, by_luck(luck))
    assert len(played) == schedule.total(agents, {}) == 2 * count + 11
    season = [scheduled for scheduled in played if scheduled.stage.startswith("round")]
    assert not {agent for scheduled in season for agent in scheduled.seats} & set(house)
    order = schedule.final_order(agents, played)
    assert {position.agent for position in order} == set(teams)
    assert [position.place for position in order] == list(range(1, count + 1))
    (final,) = [scheduled for scheduled in played if scheduled.stage == "final"]
    assert not set(final.seats) & set(house), "with twelve teams there are enough for every later stage"
    assert {position.agent for position in order[:4]} == set(final.seats)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 11), st.integers(0, 50))
def test_any_number_of_teams_can_play_with_house_agents(count: int, luck: int) -> None:
    teams, house = names(count), tuple(f"house {number}" for number in range(16 - count))
    agents = [*teams, *house]
    schedule = heroes_season(house=house)
    played = play_all(schedule, agents, by_luck(luck))
    assert len(played) == schedule.total(agents, {}) == 2 * max(count, 4) + 11
    season = [scheduled for scheduled in played if scheduled.stage.startswith("round")]
    assert {agent for scheduled in season for agent in scheduled.seats} == {*teams, *house[: max(0, 4 - count)]}
    order = schedule.final_order(agents, played)
    assert {position.agent for position in order} == set(teams)
    assert [position.place for position in order] == list(range(1, count + 1))
    assert {entry.agent for entry in schedule.bracket(agents, played)[0].tables[0]} == set(teams)


def test_too_few_teams_and_house_agents_for_a_table_are_refused() -> None:
    with pytest.raises(UserError, match=r"^a table of 4 needs at least 4 agents, and there are 3$"):
        heroes_season(house=("house",), elimination=()).check(["a", "b", "house"])


def test_a_house_agent_that_is_not_an_agent_is_refused() -> None:
    with pytest.raises(UserError, match=r"^house: unknown agent 'hose'; did you mean 'house'"):
        heroes_season(house=("hose",)).check([*names(15), "house"])


def stages_of(
    schedule: Season, agents: list[str], played: dict[ScheduledGame, GameSummary]
) -> dict[str, list[set[str]]]:
    tables: dict[str, list[set[str]]] = {}
    for stage in schedule.stages(agents, played)[len(schedule.season) :]:
        for scheduled in stage.games:
            tables.setdefault(scheduled.stage, []).append(set(scheduled.seats))
    return tables


def test_the_elimination_of_sixteen_is_that_of_the_contest() -> None:
    agents = names(16)
    schedule = heroes_season()
    schedule.check(agents)
    played = play_all(schedule, agents, in_order(agents))
    assert [stage.name for stage in schedule.stages(agents, played)] == [
        "round 1", "round 2", "first matches", "last chance and upper half", "semi-final", "final",
    ]  # fmt: skip
    number = {agent: index for index, agent in enumerate(agents, 1)}
    tables = {
        name: sorted(sorted(number[agent] for agent in table) for table in groups)
        for name, groups in stages_of(schedule, agents, played).items()
    }
    assert tables == {
        "first matches": [[1, 8, 9, 16], [2, 7, 10, 15], [3, 6, 11, 14], [4, 5, 12, 13]],
        "upper half": [[1, 4, 5, 8], [2, 3, 6, 7]],
        "last chance": [[9, 12, 13, 16], [10, 11, 14, 15]],
        "semi-final": [[1, 4, 5, 10], [2, 3, 6, 9]],
        "final": [[1, 2, 3, 4]],
    }
    assert schedule.total(agents, {}) == len(played) == 32 + 4 + 2 + 2 + 2 + 1
    order = schedule.final_order(agents, played)
    assert [number[position.agent] for position in order] == [1, 2, 3, 4, 5, 6, 9, 10, 7, 8, 11, 12, 13, 14, 15, 16]
    assert [position.place for position in order] == list(range(1, 17))
    assert [position.note for position in order[3:11:2]] == [
        "final, place 4",
        "semi-final, place 3 at table 2",
        "semi-final, place 4 at table 1",
        "upper half, place 4 at table 1",
    ]


@settings(max_examples=25, deadline=None)
@given(st.integers(16, 20), st.integers(0, 50))
def test_the_winner_of_the_final_wins_and_eliminated_agents_are_placed_below(count: int, luck: int) -> None:
    agents, schedule = names(count), heroes_season()
    played = play_all(schedule, agents, by_luck(luck))
    order = schedule.final_order(agents, played)
    (final,) = [outcome for scheduled, outcome in played.items() if scheduled.stage == "final"]
    best = [agent for agent, rank in zip(final.game.seats, final.ranks, strict=True) if rank == min(final.ranks)]
    assert order[0].agent in best
    assert Counter(position.note.split(",")[0] for position in order[:16]) == {
        "final": 4,
        "semi-final": 4,
        "upper half": 2,
        "last chance": 6,
    }
    assert all(position.note.startswith("season") for position in order[16:])
    tables = stages_of(schedule, agents, played)
    assert {name: len(groups) for name, groups in tables.items()} == {
        "first matches": 4,
        "last chance": 2,
        "upper half": 2,
        "semi-final": 2,
        "final": 1,
    }


def test_ties_in_the_elimination_are_broken_by_the_season() -> None:
    agents = names(16)
    season, level = in_order(agents), by_strength(dict.fromkeys(agents, 0.0))
    schedule = heroes_season()
    played = play_all(
        schedule, agents, lambda scheduled: (season if scheduled.stage.startswith("round") else level)(scheduled)
    )
    assert [position.agent for position in schedule.final_order(agents, played)][:4] == agents[:4]


def test_seats_of_the_elimination_are_drawn_and_then_rotated() -> None:
    final = EliminationStage(name="final", takes={"season": (1, 4)}, tables=1, games=5)
    schedule = heroes_season(elimination=(final,))
    agents = names(6)
    played = play_all(schedule, agents, in_order(agents))
    games = [scheduled for scheduled in played if scheduled.stage == "final"]
    assert [scheduled.seed - games[0].seed for scheduled in games] == [0, 0, 0, 0, 1]
    assert games[0].seats == games[4].seats
    for seat in range(4):
        assert {scheduled.seats[seat] for scheduled in games} == set(agents[:4])
    others = [
        play_all(heroes_season(elimination=(final,), seed=seed), agents, in_order(agents)) for seed in range(2, 6)
    ]
    assert len({next(scheduled.seats for scheduled in played if scheduled.stage == "final") for played in others}) > 1


def test_places_are_provisional_during_the_contest() -> None:
    agents, schedule = names(16), heroes_season()
    game = in_order(agents)
    played = {scheduled: game(scheduled) for stage in LEAGUE.stages(agents, {})[:1] for scheduled in stage.games}
    assert {position.note.split(",")[0] for position in schedule.final_order(agents, played)} == {"season"}
    played = play_all(LEAGUE, agents, game)
    played |= {scheduled: game(scheduled) for scheduled in schedule.next_games(agents, played)}
    order = schedule.final_order(agents, played)
    assert [position.note for position in order] == ["upper half"] * 8 + ["last chance"] * 8


def test_an_organiser_with_eight_teams_changes_the_numbers() -> None:
    elimination = (
        EliminationStage(name="semi-final", takes={"season": (1, 8)}, tables=2),
        EliminationStage(name="final", takes={"semi-final": (1, 2)}, tables=1, games=4),
    )
    schedule = heroes_season(elimination=elimination)
    agents = names(9)
    order = schedule.final_order(agents, play_all(schedule, agents, in_order(agents)))
    assert [position.agent for position in order] == agents


def test_no_place_can_be_taken_twice() -> None:
    stage = EliminationStage(name="cup", takes={"season": (1, 8)}, tables=2)
    again = EliminationStage(name="plate", takes={"season": (8, 11)}, tables=1)
    with pytest.raises(UserError, match=r"^plate: takes 'season' \[8, 11\]: another stage takes some of these"):
        heroes_season(elimination=(stage, again))
    with pytest.raises(UserError, match=r"^the name 'cup' is used twice: rename one of the rounds or stages$"):
        heroes_season(elimination=(stage, msgspec.structs.replace(again, name="cup")))


def test_too_few_agents_for_the_elimination_are_refused() -> None:
    with pytest.raises(UserError, match=r"^the elimination takes the first 16 agents of the season, and there are 12"):
        heroes_season().next_games(names(12), {})
