"""Promotion: win three of five games against the boss, as in the contest of Rails."""

from __future__ import annotations

import pytest

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.promotion import Promotion
from arbiter.errors import UserError
from tests.contest.fake_game import Game, in_order, play_all, ranked


def winning(wins: dict[str, int]) -> Game:
    """Agents win their first games against any boss and draw the rest, which does not help."""

    def play(scheduled: ScheduledGame) -> GameSummary:
        (agent,) = [name for name in scheduled.seats if name in wins]
        number = 2 * (scheduled.seed - 1) + scheduled.seats.index(agent)
        if number < wins[agent]:
            return ranked(scheduled, *[1 if name == agent else 2 for name in scheduled.seats])
        return ranked(scheduled, 2, 2)

    return play


def test_everyone_plays_five_games_against_the_boss_and_changes_seats() -> None:
    games = Promotion(bosses=("boss",)).next_games(["a", "boss", "b"], {})
    assert [(scheduled.seats, scheduled.seed) for scheduled in games if "a" in scheduled.seats] == [
        (("a", "boss"), 1),
        (("boss", "a"), 1),
        (("a", "boss"), 2),
        (("boss", "a"), 2),
        (("a", "boss"), 3),
    ]
    assert len(games) == 10
    assert {scheduled.stage for scheduled in games} == {"against boss"}


def test_three_wins_out_of_five_pass_and_draws_do_not_count() -> None:
    agents, schedule = ["boss", "a", "b", "c", "d"], Promotion(bosses=("boss",))
    wins = {"a": 2, "b": 5, "c": 3, "d": 2}
    order = schedule.final_order(agents, play_all(schedule, agents, winning(wins)))
    assert [(position.agent, position.place, position.note) for position in order] == [
        ("b", 1, "passed"),
        ("c", 2, "passed"),
        ("a", 3, "failed against boss"),
        ("d", 3, "failed against boss"),
    ]
    assert order[1].figures == {"bosses beaten": 1, "wins": 3}


def test_an_agent_that_passes_meets_the_next_boss() -> None:
    agents = ["second", "a", "first", "b"]
    schedule = Promotion(bosses=("first", "second"))
    played = play_all(schedule, agents, in_order(agents))
    assert {scheduled.seats for scheduled in played if scheduled.stage == "against second"} == {
        ("a", "second"),
        ("second", "a"),
    }
    notes = {position.agent: position.note for position in schedule.final_order(agents, played)}
    assert notes == {"a": "failed against second", "b": "failed against first"}
    assert schedule.total(agents, played) == len(played) == 15
    assert [stage.name for stage in schedule.stages(agents, played)] == ["against first", "against second"]
    assert all(position.note == "playing first" for position in schedule.final_order(agents, {}))


def test_a_newcomer_plays_only_its_own_games() -> None:
    schedule = Promotion(bosses=("boss",))
    played = play_all(schedule, ["boss", "a"], in_order(["a", "boss"]))
    assert all("b" in scheduled.seats for scheduled in schedule.next_games(["boss", "a", "b"], played))
    assert len(schedule.next_games(["boss", "a", "b"], played)) == 5
    assert schedule.next_games(["a", "b"], played) == []


def test_bosses_must_be_agents_and_have_an_opponent() -> None:
    with pytest.raises(UserError, match=r"^bosses: unknown agent 'x'; choose from a, b$"):
        Promotion(bosses=("x",)).check(["a", "b"])
    with pytest.raises(UserError, match=r"^there are only bosses: add an agent that plays against them$"):
        Promotion(bosses=("a", "b")).check(["a", "b"])
