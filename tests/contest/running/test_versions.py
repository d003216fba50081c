"""A result is about one version of each agent: the organiser decides what happens to the games of an agent that has changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.contest.definition import Contest
from arbiter.contest.ledger import ANNULLED
from arbiter.contest.runner import current_result, run_contest
from arbiter.errors import UserError
from arbiter.records.reader import load_record
from tests.contest.running.around import auction, footprint, records, varied
from tests.nullgame.place import bidder

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]


def changed(place: Path) -> Contest:
    """A finished contest, one agent of which has changed since."""
    agents = [*varied(place, "ann", "bob"), bidder(place, "new", 1)]
    run_contest(auction(place, agents, {"kind": "round_robin", "games": 2}))
    bidder(place, "new", 9)
    return auction(place, agents, {"kind": "round_robin", "games": 2})


def test_its_games_are_not_mixed_with_new_ones_by_default(place: Path) -> None:
    contest = changed(place)
    before = footprint(contest.folder)

    with pytest.raises(UserError, match="new has changed since 4 of its games were played") as refusal:
        run_contest(contest)

    assert "--changed replay" in str(refusal.value)
    assert "--changed keep" in str(refusal.value)
    assert footprint(contest.folder) == before


def test_replay_plays_its_games_again_and_keeps_the_old_ones_apart(place: Path) -> None:
    contest = changed(place)
    before = footprint(contest.folder)
    old = {record.path.name: record for record in records(contest.folder) if "new" in record.names}

    result = run_contest(replace(contest, changed="replay"))

    assert (result.complete, result.progress.now_played, len(result.counted)) == (True, 4, 6)
    assert "new has changed: 4 of its games were annulled and are played again" in result.progress.announcements
    after = footprint(contest.folder)
    assert {name for name in after if after[name] != before[name]} == old.keys()
    annulled = [load_record(path) for path in sorted((contest.folder / ANNULLED).iterdir())]
    assert [record.annulled.because for record in annulled if record.annulled] == ["new has changed"] * 4
    assert [record.answers for record in annulled] == [record.answers for record in old.values()]
    versions = {seat.fingerprint for record in records(contest.folder) for seat in record.header.seats}
    assert len(versions) == 3
    assert run_contest(contest).progress.now_played == 0


def test_keep_lets_them_count(place: Path) -> None:
    contest = changed(place)
    before = footprint(contest.folder)

    result = run_contest(replace(contest, changed="keep"))

    assert (result.complete, result.progress.now_played, len(result.counted)) == (True, 0, 6)
    assert "new has changed since 4 of its games were played" in result.progress.notes
    assert footprint(contest.folder) == before


def test_an_agent_that_is_no_longer_there_does_not_matter(place: Path) -> None:
    contest = changed(place)
    result = run_contest(auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 2}))
    assert (len(result.counted), contest.folder) == (2, place / "games" / "cup")


def test_looking_does_not_ask(place: Path) -> None:
    assert len(current_result(changed(place)).counted) == 6
