"""``until`` ends a contest when the question is settled, by the same games however it is run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.contest.making import stop_when
from arbiter.contest.runner import current_result, run_contest
from arbiter.contest.statistics.until import evaluate
from arbiter.errors import UserError
from tests.contest.running.around import auction, share_secret, summary, varied
from tests.contest.running.invented import run_invented
from tests.nullgame.place import bidder

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("in_process")
def test_a_match_ends_when_it_is_clear_who_is_better(place: Path) -> None:
    agents = [bidder(place, "nine", 9), bidder(place, "one", 1)]
    schedule = {"kind": "round_robin", "games": 400}
    contest = auction(place, agents, schedule, until="better(nine,one,elo1=50)")

    result = run_contest(contest)

    answer = result.progress.answer
    assert answer is not None
    assert (answer.verdict, result.complete) == ("yes", True)
    assert 2 < len(result.counted) < 100
    assert len(result.counted) == answer.settled_after == answer.games
    assert contest.until is not None
    assert answer == evaluate(contest.until, contest.schedule.next_games(contest.names, {}), result.ledger.played)
    assert summary(contest, current_result(contest)) == summary(contest, result)


def test_games_being_played_when_it_was_settled_are_kept_and_do_not_count(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob", "cid"), {"kind": "round_robin", "games": 20})
    contest = replace(stop_when(contest, "games(12)"), workers=6)
    one_by_one = replace(contest, workers=1, folder=place / "alone")
    share_secret(contest, one_by_one)

    result, finished = run_invented(contest, luck=3)

    assert result
    assert len(result.counted) == 12
    assert len(finished) > 12
    assert len(list(contest.folder.glob("*.jsonl"))) == len(finished)
    more = len(finished) - 12
    assert any(note.startswith(f"{more} game") and "not count" in note for note in result.progress.notes)
    alone, _ = run_invented(one_by_one)
    assert alone
    assert summary(contest, result) == summary(contest, alone)


def test_a_settled_contest_plays_nothing_more_and_a_harder_question_what_it_takes(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 40}, until="games(10)")
    run_invented(contest)

    again, finished = run_invented(contest)
    assert again
    assert (again.complete, finished) == (True, [])

    harder, finished = run_invented(stop_when(contest, "games(16)"))
    assert harder
    assert (len(harder.counted), len(finished)) == (16, 6)


def test_what_is_never_settled_ends_with_the_schedule(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 6}, until="precision(1)")

    result, _ = run_invented(contest)

    assert result
    assert result.progress.answer is not None
    assert (result.progress.answer.verdict, len(result.counted), result.complete) == ("not yet", 6, True)


def test_a_ladder_has_no_end_but_this(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob", "cid"), {"kind": "ladder", "batch": 2}, until="games(30)")

    result, _ = run_invented(contest, workers=3)

    assert result
    assert (result.complete, result.progress.total) == (True, None)
    assert 30 <= len(result.counted) <= 31  # a deal that was begun is played in all seatings


def test_a_question_about_an_unknown_agent_is_refused(place: Path) -> None:
    with pytest.raises(UserError, match=r"until 'better\(ann,bop\)': unknown agent 'bop'; did you mean 'bob'\?"):
        auction(place, varied(place, "ann", "bob"), until="better(ann,bop)")
