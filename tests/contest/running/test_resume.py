"""Killed at any moment and run again: nothing finished is lost, nothing is played twice, and the end is the same."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbiter.contest.definition import Contest
from arbiter.contest.ledger import ANNULLED, Ledger
from arbiter.contest.progress import RunResult
from arbiter.contest.runner import run_contest
from arbiter.contest.scheduled import ScheduledGame
from arbiter.records.format import AnnulledLine
from arbiter.records.reader import load_record
from tests.contest.running.around import auction, footprint, records, share_secret, summary, varied
from tests.contest.running.invented import run_invented

pytestmark = pytest.mark.slow

AGENTS = ("ann", "bob", "broken", "lazy", "broken-too", "cid", "dan")
SCHEDULES: list[dict[str, Any]] = [
    {"kind": "round_robin", "games": 4},
    {"kind": "round_robin", "seats": 3},
    {"kind": "gauntlet", "challengers": ["lazy"], "games": 6},
    {"kind": "swiss", "rounds": 4},
    {"kind": "swiss", "rounds": 5, "seats": 3},
    {"kind": "knockout", "best_of": 6},
    {"kind": "ladder", "batch": 3, "rest_after": 8},
    {"kind": "promotion", "bosses": ["ann", "broken"], "games": 4, "wins": 1},
    {
        "kind": "season",
        "seats": 3,
        "season": [{"name": "league", "points": [2, 1, 0], "games": 6}],
        "elimination": [
            {"name": "semi-final", "takes": {"season": [1, 6]}, "tables": 2},
            {"name": "final", "takes": {"semi-final": [1, 1], "season": [7, 7]}, "tables": 1, "games": 3},
        ],
    },
]


@contextmanager
def folder(place: Path) -> Iterator[Path]:
    """An empty one for every example of a property."""
    found = Path(tempfile.mkdtemp(dir=place))
    yield found
    shutil.rmtree(found)


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda schedule: f"{schedule['kind']} {schedule.get('seats', '')}")
@settings(deadline=None, max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    luck=st.integers(0, 2**32),
    until=st.sampled_from(["", "games(20)", "precision(ann,bob,400)"]),
    set_aside=st.integers(0, 5),
)
def test_the_end_is_the_same_wherever_it_was_killed_and_however_many_workers_there_were(
    place: Path, schedule: dict[str, Any], luck: int, until: str, set_aside: int
) -> None:
    agents = varied(place, *AGENTS)[:7]
    with folder(place) as here:
        whole = replace(auction(here, agents, schedule, name="whole", until=until, set_aside=set_aside), workers=None)
        contest = replace(whole, folder=here / "games" / "cup")
        share_secret(whole, contest)
        undisturbed, _ = run_invented(whole)
        assert undisturbed
        moments = Random(luck)
        result = None
        finished: dict[str, tuple[int, int, bytes]] = {}
        while result is None:
            most, workers = moments.randint(0, 12), moments.choice([1, 2, 4, 7])
            result, files = run_invented(contest, luck=moments.random(), most=most, workers=workers)
            assert not finished.keys() & set(files), "a game was played twice"
            now = footprint(contest.folder)
            assert {name: now.get(name) for name in finished} == finished, "a finished game was lost"
            finished |= {name: now[name] for name in files}
        assert comparable(contest, result) == comparable(whole, undisturbed)


def comparable(contest: Contest, result: RunResult) -> dict[str, Any]:
    """The result. Where an agent was set aside, its remaining games may or may not have been numbered, so the numbers of other
    games may differ, and nothing else."""
    found = summary(contest, result)
    if result.progress.set_aside:
        found |= {"games": sorted(game[1:] for game in found["games"]), "digests": sorted(found["digests"])}
    return found


def contest_of_four(place: Path) -> Contest:
    return auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})


@pytest.mark.parametrize("left", ["nothing", "half a header", "a header", "half a result"])
def test_an_interrupted_game_is_played_again_and_no_other_is(place: Path, left: str) -> None:
    contest = contest_of_four(place)
    first, _ = run_invented(contest)
    assert first
    path = contest.folder / "00003-ann-bob.jsonl"
    whole = path.read_bytes()
    header, *_ = whole.splitlines(keepends=True)
    path.write_bytes({"nothing": b"", "half a header": header[:99], "a header": header}.get(left, whole[:-9]))
    before = footprint(contest.folder)

    result, finished = run_invented(contest)

    assert result
    assert finished == [path.name]
    assert "1 interrupted game will be played again" in result.progress.announcements
    assert summary(contest, result) == summary(contest, first)
    after = footprint(contest.folder)
    assert [name for name in after if after[name] != before[name]] == [path.name]


def test_a_finished_game_counts_though_the_runner_was_killed_before_it_was_notified(place: Path) -> None:
    contest = contest_of_four(place)
    result, finished = run_invented(contest, most=1)
    assert result is None
    before = footprint(contest.folder)

    again, rest = run_invented(contest)

    assert again
    assert again.complete
    assert len(finished) == 1
    assert not set(finished) & set(rest)
    assert footprint(contest.folder)[finished[0]] == before[finished[0]]


def test_a_game_that_was_being_annulled_is_put_away_with_its_reason_and_played_again(place: Path) -> None:
    contest = contest_of_four(place)
    run_invented(contest)
    path = contest.folder / "00002-bob-ann.jsonl"
    with path.open("ab") as file:
        file.write(b'{"type":"annulled","because":"a storm","when":"2026-11-16T09:15:00.000Z"}\n')
    assert ScheduledGame(("bob", "ann"), 1) not in Ledger(contest.folder).played

    result, finished = run_invented(contest)

    assert result
    assert (result.complete, finished) == (True, [path.name])
    assert load_record(path).annulled is None
    put_away = load_record(contest.folder / ANNULLED / "00002-bob-ann-1.jsonl")
    assert put_away.annulled == AnnulledLine(because="a storm", when="2026-11-16T09:15:00.000Z")


def test_real_games_that_were_interrupted_end_as_those_of_an_undisturbed_run(place: Path) -> None:
    contest = contest_of_four(place)
    first = run_contest(contest)
    before = footprint(contest.folder)
    for record in records(contest.folder)[1:3]:
        record.path.write_bytes(record.path.read_bytes()[:-1])

    result = run_contest(contest)

    assert summary(contest, result) == summary(contest, first)
    after = footprint(contest.folder)
    same = {name for name in before if after[name] == before[name]}
    assert same == {"00001-ann-bob.jsonl", "00004-bob-ann.jsonl"}
