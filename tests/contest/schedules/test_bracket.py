"""Who met whom in an elimination, and who went on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.schedules.base import BracketStage
from arbiter.contest.schedules.knockout import Knockout
from tests.contest.fake_game import at_leisure, by_luck, in_order, names, play_all, ranked
from tests.contest.schedules.heroes_season import heroes_season


def went_on(stage: BracketStage) -> dict[str, set[str]]:
    """By next stage: the agents that went there."""
    found: dict[str, set[str]] = {}
    for table in stage.tables:
        for entry in table:
            found.setdefault(entry.goes_to, set()).add(entry.agent)
    return found


def test_a_season_shows_the_way_of_every_team_through_the_elimination() -> None:
    agents = names(18)
    schedule = heroes_season()
    stages = schedule.bracket(agents, play_all(schedule, agents, in_order(agents)))
    assert [stage.name for stage in stages] == [
        "season", "first matches", "last chance", "upper half", "semi-final", "final",
    ]  # fmt: skip
    assert [len(stage.tables) for stage in stages] == [1, 4, 2, 2, 2, 1]
    by_name = {stage.name: {entry.agent for table in stage.tables for entry in table} for stage in stages}
    for stage in stages:
        for target, agents_there in went_on(stage).items():
            assert not target or agents_there <= by_name[target]
    assert len(went_on(stages[0])[""]) == 2
    assert [entry.agent for entry in stages[-1].tables[0]] == agents[:4]


@at_leisure
@given(st.integers(16, 20), st.integers(0, 99))
def test_only_agents_that_go_on_play_in_the_stage_named(count: int, luck: int) -> None:
    agents = names(count)
    schedule = heroes_season(seed=luck)
    stages = schedule.bracket(agents, play_all(schedule, agents, by_luck()))
    sent: dict[str, set[str]] = {}
    for stage in stages:
        present = {entry.agent for table in stage.tables for entry in table}
        assert stage.name == "season" or present == sent[stage.name]
        for target, agents_there in went_on(stage).items():
            sent.setdefault(target, set()).update(agents_there)


def test_a_house_agent_and_a_lot_are_named() -> None:
    agents = names(16)
    schedule = heroes_season(house=(agents[-1],))
    played = play_all(schedule, agents, lambda game: ranked(game, 1, 1, 1, 1))
    season, first = schedule.bracket(agents, played)[:2]
    assert {entry.why for entry in season.tables[0]} == {"by lot"}
    reasons = {entry.agent: entry.why for table in first.tables for entry in table}
    assert reasons.pop(agents[-1]) == "house agent"
    assert set(reasons.values()) == {"tie, by the season"}


@at_leisure
@given(st.integers(2, 21))
def test_a_knockout_of_any_size_loses_agents_until_one_is_left(count: int) -> None:
    agents = names(count)
    schedule = Knockout(best_of=2)
    stages = schedule.bracket(agents, play_all(schedule, agents, in_order(agents)))
    present = set(agents)
    for stage in stages:
        assert {entry.agent for table in stage.tables for entry in table} == present
        if stage.name != "final":
            present = went_on(stage).get(stages[stages.index(stage) + 1].name, set())
    assert stages[-1].tables[0][0].agent == agents[0]


def test_before_the_end_only_what_is_known_is_shown() -> None:
    agents = names(16)
    (season,) = heroes_season().bracket(agents, {})
    assert {entry.goes_to for entry in season.tables[0]} == {""}
