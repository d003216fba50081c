"""Whatever happens to a cluster, the result is that of one worker on one machine: nothing is lost, nothing counts twice."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest
import yaml

from arbiter.cluster import host
from arbiter.cluster.connect import connect
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress
from arbiter.contest.runner import run
from arbiter.errors import UserError
from arbiter.records.format import HostInfo
from tests.cluster.real import PATIENCE_S, Cluster, Damaging, play, playing
from tests.contest.running.around import auction, footprint, records, summary, varied
from tests.contest.running.processes import FOR_A_WORD, Waiting, has_ended, interrupt, read_until, start
from tests.nullgame.place import BIDS, write

KILLS = int(os.environ.get("ARBITER_CLUSTER_KILLS", "6"))
GAMES = 12
SCHEDULE: dict[str, object] = {"kind": "round_robin", "games": GAMES, "seed": 7}


def agents(place: Path) -> list[str]:
    """One that can be made to wait, and one that plays on."""
    return [str(write(place / "waits.sh", BIDS.format(5))), *varied(place, "ann")]


def cup(place: Path, name: str = "cup", **schedule: object) -> Contest:
    return auction(place, agents(place), {**SCHEDULE, **schedule}, name=name)


def expected(place: Path, **schedule: object) -> dict[str, Any]:
    """The result of one local worker."""
    contest = cup(place, "local", **schedule)
    return summary(contest, run(contest))


def as_expected(place: Path, contest: Contest, found: dict[str, Any], **schedule: object) -> None:
    """Check the result, and that there is one record for each game, each with the digest of the local game."""
    assert found == expected(place, **schedule)
    digests = [
        [record.result.digest for record in records(place / "games" / name) if record.result]
        for name in (contest.definition.name, "local")
    ]
    assert digests[0] == digests[1]


def test_the_result_is_that_of_one_local_worker(place: Path, cluster: Cluster) -> None:
    contest = auction(place, varied(place, "ann", "bob", "cid"), {**SCHEDULE, "games": 6})
    local = auction(place, varied(place, "ann", "bob", "cid"), {**SCHEDULE, "games": 6}, name="local")
    result = play(contest, cluster.address)

    assert summary(contest, result) == summary(local, run(local))
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
    assert run(contest).progress.now_played == 0, "the ledger is that of a local contest"
    assert footprint(contest.folder) == before


def test_a_worker_killed_in_a_game(place: Path, cluster: Cluster) -> None:
    contest = cup(place)
    agent = Waiting(place)
    contest = cup_of(place)
    with playing(contest, cluster.address) as result:
        processes = agent.until_asked()
        cluster.kill(cluster.worker_of(agent.worker))
        assert has_ended(processes), "the agents of a killed worker are killed"
        found = summary(contest, result.result(PATIENCE_S))
    as_expected(place, contest, found)


def cup_of(place: Path, name: str = "cup", **schedule: object) -> Contest:
    """A contest with the agents that are in the folder."""
    programs = [str(place / "waits.sh"), str(place / "ann.sh")]
    limits = {"move": "600s"}
    return auction(place, programs, {**SCHEDULE, **schedule}, name=name, limits=limits)


def test_all_workers_gone_and_one_back(place: Path, cluster: Cluster) -> None:
    cup(place)
    agent = Waiting(place)
    contest = cup_of(place)
    with playing(contest, cluster.address) as result:
        agent.until_asked()
        for name in list(cluster.workers):
            cluster.kill(name)
        cluster.repair(1)
        ended = result.result(PATIENCE_S)
    as_expected(place, contest, summary(contest, ended))
    assert any("is gone" in line for line in ended.progress.announcements)


def test_the_scheduler_killed(place: Path, cluster: Cluster) -> None:
    cup(place)
    agent = Waiting(place)
    contest = cup_of(place)
    with playing(contest, cluster.address) as result:
        agent.until_asked()
        cluster.scheduler.kill()
        with pytest.raises(UserError, match="the Dask scheduler is gone: finished games are saved"):
            result.result(PATIENCE_S)
    before = footprint(contest.folder)
    again = run(cup_of(place))
    assert footprint(contest.folder).items() >= before.items(), "what was finished is not played again"
    as_expected(place, contest, summary(contest, again))


def command(place: Path, cluster: Cluster) -> list[str | Path]:
    """Write the match file and return the command that runs it."""
    cup(place)
    file = {
        "protocol": "auction",
        "agents": ["waits.sh", "ann.sh"],
        "options": {"rounds": 1},
        "limits": {"move": "600s"},
    }
    write(place / "cup.yaml", yaml.safe_dump({**file, "schedule": SCHEDULE}))
    return ["run", "cup.yaml", "--save", "games", "--cluster", cluster.address]


def test_the_head_killed_and_resumed(place: Path, cluster: Cluster) -> None:
    words = command(place, cluster)
    agent = Waiting(place, FOR_A_WORD)
    head = start(*words, folder=place)
    agent.until_asked()
    head.kill()
    head.communicate()
    before = footprint(place / "games" / "cup")
    agent.go_on()

    contest = cup_of(place)
    found = summary(contest, play(contest, cluster.address))

    assert footprint(contest.folder).items() >= before.items()
    as_expected(place, contest, found)


def test_a_host_that_stands_still_until_it_is_given_up_and_then_goes_on(place: Path) -> None:
    with Cluster(place, ttl="20s") as cluster:  # a worker of a busy machine may not be heard of for some seconds
        cluster.start_worker("a")
        cluster.start_worker("b")
        cup(place)
        agent = Waiting(place)
        contest = cup_of(place)
        with playing(contest, cluster.address) as result:
            agent.until_asked()
            still = cluster.workers[cluster.worker_of(agent.worker)]
            processes = [psutil.Process(still.pid), *psutil.Process(still.pid).children(recursive=True)]
            for process in processes:
                process.suspend()
            found = summary(contest, result.result(PATIENCE_S))
            before = footprint(contest.folder)
            for process in processes:
                process.resume()
        assert footprint(contest.folder) == before
        as_expected(place, contest, found)


def test_a_record_damaged_on_the_way_is_played_again(place: Path, cluster: Cluster) -> None:
    contest = cup(place)
    connect(cluster.address).close()  # it is there
    proxy = Damaging(cluster.port)
    result = play(contest, proxy.address)
    proxy.close()
    assert proxy.damaged.is_set()
    again = [line for line in result.progress.announcements if "its record was damaged on the way" in line]
    assert len(again) == 1
    as_expected(place, contest, summary(contest, result))


def test_nobody_waits_behind_a_slow_worker(place: Path, cluster: Cluster) -> None:
    cup(place)
    agent = Waiting(place, FOR_A_WORD)
    contest = cup_of(place)
    reached = threading.Event()

    def watch(progress: ContestProgress, _: Ledger) -> None:
        if progress.played == GAMES - 2 and not reached.is_set():  # all but one deal
            reached.set()
            agent.go_on()

    result = play(contest, cluster.address, watch)
    assert reached.is_set()
    as_expected(place, contest, summary(contest, result))


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c(place: Path, cluster: Cluster, times: int) -> None:
    words = command(place, cluster)
    agent = Waiting(place, FOR_A_WORD)
    head = start(*words, folder=place)
    processes = agent.until_asked()
    interrupt(head)
    if times == 1:
        read_until(head, "stopping")
        agent.go_on()
    else:
        read_until(head, "stopping")
        interrupt(head)
    _, said = head.communicate(timeout=PATIENCE_S)
    assert head.returncode == 128 + signal.SIGINT, said
    assert has_ended(processes), "nothing of the run is left on the workers"
    before = footprint(place / "games" / "cup")
    assert all(record.result for record in records(place / "games" / "cup"))

    contest = cup_of(place)
    found = summary(contest, play(contest, cluster.address))
    assert footprint(contest.folder).items() >= before.items()
    as_expected(place, contest, found)


def test_a_host_with_another_version_is_refused_and_named(
    place: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "__version__", "9.9")
    with pytest.raises(UserError) as refusal:
        play(cup(place), cluster.address)
    assert "is refused: it has arbiter 0.1.0, and the head has 9.9" in str(refusal.value)
    assert os.uname().nodename in str(refusal.value)


def test_a_host_that_cannot_run_an_agent_is_refused(
    place: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers were started before the tool was on the PATH."""
    write(place / "bin" / "oddtool", '#!/bin/sh\nexec sh "$@"\n', executable=True)
    monkeypatch.setenv("PATH", f"{place / 'bin'}:{os.environ['PATH']}")
    language = '[languages.Odd]\nextensions = [".odd"]\nrun = ["oddtool", "{source}"]\n'
    write(place / "arbiter.toml", (place / "arbiter.toml").read_text() + language)
    write(place / "one.odd", BIDS.format(3))
    contest = auction(place, [str(place / "one.odd"), *varied(place, "ann")])
    with pytest.raises(UserError, match=r"is refused: one\.odd is Odd and needs oddtool"):
        play(contest, cluster.address)


def test_random_kills_lose_nothing_and_count_nothing_twice(place: Path, cluster: Cluster) -> None:
    """Workers, the processes that play, and the head are killed at random; the environment variable ARBITER_CLUSTER_KILLS
    says how often."""
    luck = Random(KILLS)
    games = 10 * KILLS
    cup(place)
    contest = auction(place, agents(place), {**SCHEDULE, "games": games}, set_aside=0)
    kills, finished = 0, dict[str, Any]()

    class Enough(BaseException):
        """The head is killed here."""

    while True:
        until = luck.randint(2, 8)

        def watch(progress: ContestProgress, _: Ledger, until: int = until) -> None:
            nonlocal kills
            if kills >= KILLS or progress.now_played < until:
                return
            kind = luck.choice(["worker", "player", "head"])
            kills += 1
            if kind == "head":
                raise Enough
            name = luck.choice(sorted(cluster.workers))
            children = psutil.Process(cluster.workers[name].pid).children()
            if kind == "player" and children:
                luck.choice(children).kill()
            else:
                cluster.kill(name)
                cluster.repair(2)
            progress.now_played = 0

        try:
            result = play(contest, cluster.address, watch)
            break
        except Enough:
            now = footprint(contest.folder)
            assert now.items() >= finished.items()
            finished = now
    assert kills == KILLS
    assert footprint(contest.folder).items() >= finished.items()
    as_expected(place, contest, summary(contest, result), games=games)
