"""Results are the same for any number of workers. (test_resume.py tries many more orders of finishing.)"""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arbiter.contest.match_file import load_contest
from arbiter.contest.pool import Pool
from arbiter.contest.runner import run_contest
from arbiter.contest.scheduled import ScheduledGame
from arbiter.errors import UserError
from arbiter.playing.job import Job
from tests.contest.running.around import VARIED, auction, broken, plan_of, records, share_secret, summary, varied

pytestmark = pytest.mark.slow

PATIENCE_S = 600


def test_one_two_and_four_workers_come_to_the_same(place: Path) -> None:
    agents = [*varied(place, "ann", "bob", "cid"), *broken(place, "bad"), *varied(place, "dan")]
    contest = auction(place, agents, {"kind": "round_robin", "games": 8}, until="games(30)", set_aside=3)

    contests = [replace(contest, workers=workers, folder=place / str(workers)) for workers in (1, 2, 4)]
    share_secret(*contests)
    found = [(summary(own, run_contest(own)), records(own.folder)) for own in contests]

    first, alone = found[0]
    assert first["complete"]
    assert first["set aside"] == {"bad": 3}
    for other, played in found[1:]:
        assert other == first
        digests = {record.path.name: record.result.digest for record in played if record.result}
        for record in alone:
            assert record.result is not None
            assert digests[record.path.name] == record.result.digest


def test_each_worker_has_a_core_of_its_own_even_after_another_was_lost(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 6})
    keys = contest.schedule.next_games(contest.names, {})
    jobs = iter([Job(key, number, str(contest.folder / f"{number}.jsonl")) for number, key in enumerate(keys, 1)])
    with Pool(plan_of(contest), contest.definition.name, 2) as pool:
        pool.begin(next(jobs))
        pool.begin(next(jobs))
        assert [worker.number for worker in pool._workers] == [0, 1]
        while pool.in_hand:
            list(pool.wait())
        pool._workers[1]._process.kill()
        list(pool.wait())
        pool.begin(next(jobs))
        pool.begin(next(jobs))
        assert [worker.number for worker in pool._workers] == [0, 1]
        while pool.in_hand:
            list(pool.wait())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"protocol_version": 7}, "protocol 'auction': version 1 is installed here, but the plan was made for version 7"),
        ({"protocol_folder": None}, "protocol 'auction' is not installed here"),
        ({"protocol_folder": "/nowhere"}, "protocol 'auction': /nowhere has no __init__.py"),
    ],
)  # fmt: skip
def test_a_worker_that_cannot_use_the_plan_says_why(place: Path, change: dict[str, Any], said: str) -> None:
    contest = auction(place, varied(place, "ann", "bob"))
    plan = msgspec.structs.replace(plan_of(contest), **change)
    with Pool(plan, contest.definition.name, 1) as pool:
        pool.begin(Job(contest.schedule.next_games(contest.names, {})[0], 1, str(place / "x.jsonl")))
        with pytest.raises(UserError) as refusal:
            list(pool.wait())
    assert said in str(refusal.value)


def test_an_agent_whose_file_name_is_not_utf8_can_play(place: Path) -> None:
    odd = place / os.fsdecode(b"odd-\xff.sh")
    odd.write_text(VARIED.format(1), encoding="utf-8")
    contest = auction(place, [*varied(place, "ann"), str(odd)])

    assert run_contest(contest).complete
    assert run_contest(load_contest(contest.folder)).progress.now_played == 0


def test_two_replies_read_at_once_are_both_handled(place: Path) -> None:
    """A game may be over before the first reply of its worker has been read."""
    contest = auction(place, varied(place, "ann", "bob"))
    record = contest.folder / "00001-ann-bob.jsonl"
    job = Job(ScheduledGame(("ann", "bob"), 1), 1, str(record))
    heard: list[int] = []

    def listen() -> None:
        with Pool(plan_of(contest), contest.definition.name, 1) as pool:
            pool.begin(job)
            pool._workers[0].dismiss(at_once=False)  # it ends after its only game
            pool._workers[0]._process.wait(PATIENCE_S)
            while pool.in_hand:
                heard.extend(done.number for _, done in pool.wait() if not done.error)

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)

    assert heard == [1]
