"""A cluster plays like one machine: same results, same ledger, games that can be watched, one game per core."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arbiter.cli.follow import changes
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress, RunningGame
from arbiter.contest.runner import run_contest
from arbiter.records.format import HostInfo
from arbiter.records.reader import is_being_written
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query
from arbiter.web.feed import Feed
from tests.cluster.real import PATIENCE_S, Cluster, play, playing
from tests.contest.running.around import auction, footprint, records, summary, varied
from tests.contest.running.processes import FOR_A_WORD, Waiting
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

SCHEDULE: dict[str, object] = {"kind": "round_robin", "games": 6, "seed": 7}
SAYS_WHERE = """
read -r seat
while read -r word prize; do
    case $word in prize) grep Cpus_allowed_list /proc/self/status | sed 's/^/kibitz /' >&2; echo 5;; esac
done
"""


def test_the_result_is_that_of_one_local_worker(place: Path, cluster: Cluster) -> None:
    contest = auction(place, varied(place, "ann", "bob", "cid"), SCHEDULE)
    local = auction(place, varied(place, "ann", "bob", "cid"), SCHEDULE, name="local")
    result = play(contest, cluster.address)

    assert summary(contest, result) == summary(local, run_contest(local))
    played, alone = records(contest.folder), records(local.folder)
    assert [each.result and each.result.digest for each in played] == [
        each.result and each.result.digest for each in alone
    ]
    assert {type(each.header.host) for each in played} == {HostInfo}
    assert not any(each.header.host for each in alone)
    deals: dict[tuple[object, ...], set[str]] = {}
    for each in played:
        assert each.header.host
        deals.setdefault((each.header.seed, *sorted(seat.name for seat in each.header.seats)), set()).add(
            each.header.host.worker
        )
    assert [len(workers) for workers in deals.values()] == [1] * 9, "each deal has a host of its own"
    before = footprint(contest.folder)
    assert run_contest(contest).progress.now_played == 0, "the ledger is that of a local contest"
    assert footprint(contest.folder) == before


def test_every_game_is_pinned_to_a_core_that_no_other_worker_of_the_machine_uses(place: Path, cluster: Cluster) -> None:
    agents = [str(write(place / f"{name}.sh", SAYS_WHERE)) for name in ("ann", "bob")]
    contest = auction(place, agents, SCHEDULE)
    play(contest, cluster.address)
    cores: dict[str, set[str]] = {}
    for record in records(contest.folder):
        said = {text.split()[-1] for line in record.answers for text in line.kibitz}
        assert record.header.host
        cores.setdefault(record.header.host.worker, set()).update(said)
    assert all(len(own) == 1 and own.pop().isdecimal() for own in map(set, cores.values())), cores
    assert len(set.union(*cores.values())) == min(len(cores), len(os.sched_getaffinity(0)))


def test_a_running_game_is_shown_while_a_host_plays_it(place: Path, cluster: Cluster) -> None:
    agent = Waiting(place, FOR_A_WORD, turn=2)
    contest = auction(
        place, [agent.path, *varied(place, "ann")], {"kind": "round_robin"}, rounds=2, limits={"move": "600s"}
    )
    seen: list[RunningGame] = []

    def watch(progress: ContestProgress, _: Ledger) -> None:
        seen.extend(progress.running)

    with playing(contest, cluster.address, watch) as result:
        agent.until_asked()
        for folder, _ in changes(contest.folder):  # what 'arbiter standings --follow' shows
            running = search(folder, Query(finished=False)).games
            if any(game.turns for game in running):
                break
        path = Path(running[0].record)
        feed = Feed(path)  # what --watch shows
        feed.refresh()
        assert (len(feed.turns), feed.over) == (1, False)
        assert path.stat().st_mode & 0o077 == 0, "nobody else reads the deal before the game has ended"
        assert is_being_written(path)
        agent.go_on()
        assert result.result(PATIENCE_S).complete
    feed.refresh()
    assert (len(feed.turns), feed.over) == (2, True)
    assert str(path) in {game.record for game in seen}, "the terminal shows it"
    assert all(record.result for record in records(contest.folder))


def test_a_head_without_workers_says_that_it_waits_for_them(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin"})
    with Cluster(place) as empty:

        def watch(progress: ContestProgress, _: Ledger) -> None:
            if progress.announcements and not empty.workers:
                assert progress.announcements == ["cluster: waiting for workers, there are none"]
                empty.start_worker("late")

        assert play(contest, empty.address, watch).complete
