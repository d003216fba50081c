"""An agent that fails every game is set aside after some games and reported; the other agents are not affected."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.agenda import agents_to_set_aside
from arbiter.contest.definition import SET_ASIDE
from arbiter.contest.report import build_report
from arbiter.contest.runner import current_result, run_contest
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.round_robin import RoundRobin
from arbiter.contest.statistics.standing import note
from tests.contest.fake_game import at_leisure, finished
from tests.contest.running.around import auction, broken, records, share_secret, summary, varied
from tests.nullgame.place import write

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]

GOOD_ONCE = """
read -r seat
read -r state
if test -e {0}; then exit 3; fi
touch {0}
echo 5
"""


def test_it_is_set_aside_after_its_first_games_which_count_for_nobody(place: Path) -> None:
    agents = varied(place, "ann", "bob", "cid") + broken(place, "bad")
    contest = auction(place, agents, {"kind": "round_robin", "games": 6})

    result = run_contest(contest)

    assert SET_ASIDE == 5
    assert result.progress.set_aside == {"bad": 5}
    assert (
        "bad was set aside: no valid answer in its first 5 games (5 crashed); all its games are void, for its opponents too"
    ) in result.progress.notes
    assert not [outcome for outcome in result.counted if "bad" in outcome.game.seats]
    assert len(result.counted) == 3 * 6
    assert result.complete
    assert (result.progress.played, result.progress.total) == (18, 18)
    rows = {row.agent: row for row in build_report(contest, result).rows}
    assert [rows[name].games for name in ("ann", "bob", "cid")] == [12, 12, 12]
    assert (rows["bad"].place, rows["bad"].set_aside, rows["bad"].games) == (None, 5, 0)
    assert note(rows["bad"]) == "set aside after 5 games, all void"
    assert summary(contest, current_result(contest)) == summary(contest, result)
    assert run_contest(contest).progress.now_played == 0


@pytest.mark.parametrize("schedule", [{"kind": "round_robin", "games": 6}, {"kind": "swiss", "rounds": 4}])
def test_the_others_are_ranked_as_if_it_had_not_taken_part(place: Path, schedule: dict[str, object]) -> None:
    """Whoever met it before it was set aside has nothing that the others could not get."""
    agents = varied(place, "ann", "bob", "cid", "dan")
    contest = auction(place, [*agents, *broken(place, "bad")], schedule, set_aside=3)
    alone = auction(place, agents, schedule, name="alone")
    share_secret(contest, alone)
    result = run_contest(contest)
    report = build_report(contest, result)

    assert result.progress.set_aside == {"bad": 3}
    assert not [game for game in report.games if "bad" in game.seats]
    assert report.cross["bad"] == {}
    assert all("bad" not in row for row in report.cross.values())
    assert summary(contest, current_result(contest)) == summary(contest, result)
    if schedule["kind"] == "round_robin":
        without = build_report(alone, run_contest(alone))
        assert [(row.agent, row.points, row.score) for row in report.rows[:4]] == [
            (row.agent, row.points, row.score) for row in without.rows
        ]


@pytest.mark.parametrize(("most", "games"), [(1, 0), (2, 0), (0, 12)])
def test_after_how_many_is_for_the_organiser_to_say(place: Path, most: int, games: int) -> None:
    agents = [*varied(place, "ann", "bob"), *broken(place, "bad")]
    contest = auction(place, agents, {"kind": "round_robin", "games": 3 * 2}, set_aside=most)

    result = run_contest(contest)

    of_bad = [outcome for outcome in result.counted if "bad" in outcome.game.seats]
    assert len(of_bad) == games
    assert len(records(contest.folder)) == 6 + (most or 12)
    assert result.progress.set_aside == ({"bad": most} if most else {})


def test_one_good_answer_in_time_is_enough_to_stay(place: Path) -> None:
    once = str(write(place / "once.sh", GOOD_ONCE.format(place / "played")))
    contest = auction(place, [*varied(place, "ann"), once], {"kind": "round_robin", "games": 12})

    result = run_contest(contest)

    assert result.progress.set_aside == {}
    assert len(result.counted) == 12
    assert sum(len(outcome.faults) for outcome in result.counted) == 11


def test_several_are_set_aside_even_if_they_should_have_met(place: Path) -> None:
    agents = [*varied(place, "ann", "bob", "cid"), *broken(place, "bad", "worse")]
    contest = auction(place, agents, {"kind": "round_robin", "games": 10}, set_aside=4)

    result = run_contest(contest)

    assert result.progress.set_aside == {"bad": 4, "worse": 4}
    assert result.complete
    assert {name for outcome in result.counted for name in outcome.game.seats} == {"ann", "bob", "cid"}


def test_a_question_is_not_kept_waiting_for_games_of_one_that_was_set_aside(place: Path) -> None:
    agents = [*varied(place, "ann", "bob"), *broken(place, "bad")]
    contest = auction(place, agents, {"kind": "round_robin", "games": 40}, until="games(30)")

    result = run_contest(contest)

    assert result.progress.set_aside == {"bad": 5}
    assert result.progress.answer is not None
    assert result.progress.answer.settled
    assert 30 <= len(result.counted) <= 31  # a deal that was begun is played in all seatings
    assert result.complete


def test_a_knockout_needs_its_bracket_so_that_it_stays_and_loses(place: Path) -> None:
    agents = [*varied(place, "ann", "bob", "cid"), *broken(place, "bad")]
    contest = auction(place, agents, {"kind": "knockout", "best_of": 8}, set_aside=1)

    result = run_contest(contest)

    assert result.complete
    assert result.progress.set_aside == {}
    assert build_report(contest, result).rows[0].agent != "bad"


def test_where_too_few_are_left_it_is_over(place: Path) -> None:
    contest = auction(place, broken(place, "bad", "worse"), {"kind": "round_robin", "games": 20})

    result = run_contest(contest)

    assert result.progress.set_aside == {"bad": 5, "worse": 5}
    assert (len(result.counted), result.complete) == (0, True)


# -- the rule itself


def outcome_of(key: ScheduledGame, bad: Sequence[str]) -> GameSummary:
    faults = tuple({"crashed": 1} if name in bad else {} for name in key.seats)
    return finished(key, (1, 2), faults=faults, answers=[1, 1])


NAMES = ("a", "b", "c", "d", "e")
GAMES = RoundRobin(games=6).next_games(NAMES, {})


@at_leisure
@given(bad=st.lists(st.sampled_from(NAMES), unique=True), most=st.integers(1, 8), luck=st.integers(0, 999))
def test_it_does_not_matter_in_which_order_games_finish(bad: list[str], most: int, luck: int) -> None:
    shaky = Random(luck)
    whole = {key: outcome_of(key, [name for name in bad if shaky.random() < 0.9]) for key in GAMES}
    final = agents_to_set_aside(GAMES, whole, NAMES, most)
    finished = Random(luck).sample(GAMES, len(GAMES))
    for count in range(len(GAMES) + 1):
        now = agents_to_set_aside(GAMES, {key: whole[key] for key in finished[:count]}, NAMES, most)
        assert now.items() <= final.items(), "what was said once must hold"


@given(bad=st.sets(st.sampled_from(NAMES)), most=st.integers(1, 8))
def test_it_is_what_playing_one_game_after_the_other_gives(bad: set[str], most: int) -> None:
    whole = {key: outcome_of(key, sorted(bad)) for key in GAMES}
    games = dict.fromkeys(NAMES, 0)
    expected: dict[str, int] = {}
    for place, key in enumerate(GAMES, 1):
        if expected.keys().isdisjoint(key.seats):
            for name in key.seats:
                games[name] += 1
                if name in bad and games[name] == most:
                    expected[name] = place
    assert agents_to_set_aside(GAMES, whole, NAMES, most) == expected
