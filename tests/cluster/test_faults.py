"""Whatever happens to a cluster, the result is that of one worker on one machine: nothing is lost, nothing counts twice."""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml

from arbiter.cluster.connect import connect
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress, RunResult
from arbiter.contest.runner import run_contest
from arbiter.errors import UserError
from tests.cluster.real import PATIENCE_S, Cluster, Damaging, play, playing
from tests.contest.running.around import auction, finished, footprint, records, summary, varied
from tests.contest.running.processes import FOR_A_WORD, Waiting, has_ended, interrupt, read_until, start
from tests.nullgame.place import BIDS, arbiter_toml, write

pytestmark = pytest.mark.slow

GAMES = 12
SCHEDULE: dict[str, object] = {"kind": "round_robin", "games": GAMES, "seed": 7}
Alone = Callable[[int], dict[str, Any]]


def cup(place: Path, games: int = GAMES) -> Contest:
    """A contest of an agent that can be made to wait against one that plays on."""
    waits = place / "waits.sh"
    if not waits.exists():
        write(waits, BIDS.format(5))
    agents = [str(waits), *varied(place, "ann")]
    return auction(place, agents, {**SCHEDULE, "games": games}, limits={"move": "600s"}, set_aside=0)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    """The result of one local worker, by number of games."""

    @functools.cache
    def played(games: int) -> dict[str, Any]:
        folder = tmp_path_factory.mktemp("alone")
        arbiter_toml(folder)
        contest = cup(folder, games)
        return seen(contest, run_contest(contest))

    return played


def seen(contest: Contest, result: RunResult) -> dict[str, Any]:
    """A result, and the digests of the records: one for each game."""
    digests = [record.result.digest for record in records(contest.folder) if record.result]
    return {**summary(contest, result), "records": digests}


def test_a_worker_killed_in_a_game(place: Path, cluster: Cluster, alone: Alone) -> None:
    agent = Waiting(place)
    contest = cup(place)
    with playing(contest, cluster.address) as result:
        processes = agent.until_asked()
        cluster.kill(cluster.worker_of(agent.worker))
        assert has_ended(processes), "the agents of a killed worker are killed"
        assert seen(contest, result.result(PATIENCE_S)) == alone(GAMES)


def test_all_workers_gone_and_one_back(place: Path, cluster: Cluster, alone: Alone) -> None:
    agent = Waiting(place)
    contest = cup(place)
    with playing(contest, cluster.address) as result:
        agent.until_asked()
        for name in list(cluster.workers):
            cluster.kill(name)
        cluster.repair(1)
        ended = result.result(PATIENCE_S)
    assert seen(contest, ended) == alone(GAMES)
    assert any("is gone" in line for line in ended.progress.announcements)


def test_the_scheduler_killed(place: Path, cluster: Cluster, alone: Alone) -> None:
    agent = Waiting(place)
    contest = cup(place)
    with playing(contest, cluster.address) as result:
        agent.until_asked()
        cluster.scheduler.kill()
        with pytest.raises(UserError, match="the Dask scheduler is gone: finished games are saved"):
            result.result(PATIENCE_S)
    before = footprint(contest.folder)
    again = run_contest(contest)
    assert footprint(contest.folder).items() >= before.items(), "what was finished is not played again"
    assert seen(contest, again) == alone(GAMES)


def command(place: Path, cluster: Cluster) -> list[str | Path]:
    """Write the match file and return the command that runs it."""
    varied(place, "ann")
    file = {
        "protocol": "auction",
        "agents": ["waits.sh", "ann.sh"],
        "options": {"rounds": 1},
        "limits": {"move": "600s"},
    }
    write(place / "cup.yaml", yaml.safe_dump({**file, "schedule": SCHEDULE}))
    return ["run", "cup.yaml", "--save", "games", "--cluster", cluster.address]


def test_the_head_killed_and_resumed(place: Path, cluster: Cluster, alone: Alone) -> None:
    agent = Waiting(place, FOR_A_WORD)
    head = start(*command(place, cluster), folder=place)
    agent.until_asked()
    head.kill()
    head.communicate()
    before = finished(place / "games" / "cup")  # a mirror of the game being played may be there as well
    agent.go_on()

    contest = cup(place)
    found = seen(contest, play(contest, cluster.address))

    assert footprint(contest.folder).items() >= before.items()
    assert found == alone(GAMES)


def test_a_host_that_stands_still_until_it_is_given_up_and_then_goes_on(
    place: Path, cluster: Cluster, alone: Alone
) -> None:
    agent = Waiting(place)
    contest = cup(place)
    with playing(contest, cluster.address) as result:
        agent.until_asked()
        name = cluster.worker_of(agent.worker)
        still = psutil.Process(cluster.workers[name].pid)
        processes = [still, *still.children(recursive=True)]
        for process in processes:
            process.suspend()
        with contextlib.closing(connect(cluster.address)) as client:
            asked: Any = client
            assert asked.run_on_scheduler(an_hour_passes, name), "the scheduler gives it up"
        found = seen(contest, result.result(PATIENCE_S))
        before = footprint(contest.folder)
        for process in processes:
            process.resume()
    assert footprint(contest.folder) == before, "what it sends later is ignored"
    assert found == alone(GAMES)
    cluster.kill(name)


async def an_hour_passes(name: str, dask_scheduler: Any) -> bool:
    """Let the scheduler look for workers that it has not heard of for too long, as if this one were silent for an hour."""
    worker = dask_scheduler.workers[dask_scheduler.aliases[name]]
    worker.last_seen -= 3600
    await dask_scheduler.check_worker_ttl()
    return worker.address not in dask_scheduler.workers


def test_a_record_damaged_on_the_way_is_played_again(place: Path, cluster: Cluster, alone: Alone) -> None:
    contest = cup(place)
    connect(cluster.address).close()  # it is there
    proxy = Damaging(cluster.port)
    result = play(contest, proxy.address)
    proxy.close()
    assert proxy.damaged.is_set()
    again = [line for line in result.progress.announcements if "its record was damaged on the way" in line]
    assert len(again) == 1
    assert seen(contest, result) == alone(GAMES)


def test_nobody_waits_behind_a_slow_worker(place: Path, cluster: Cluster, alone: Alone) -> None:
    agent = Waiting(place, FOR_A_WORD)
    contest = cup(place)
    reached = threading.Event()

    def watch(progress: ContestProgress, _: Ledger) -> None:
        if progress.played == GAMES - 2 and not reached.is_set():  # all but one deal
            reached.set()
            agent.go_on()

    result = play(contest, cluster.address, watch)
    assert reached.is_set()
    assert seen(contest, result) == alone(GAMES)


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c(place: Path, cluster: Cluster, alone: Alone, times: int) -> None:
    agent = Waiting(place, FOR_A_WORD)
    head = start(*command(place, cluster), folder=place)
    processes = agent.until_asked()
    interrupt(head)
    read_until(head, "stopping")
    if times == 1:
        agent.go_on()
    else:
        interrupt(head)
    _, said = head.communicate(timeout=PATIENCE_S)
    assert head.returncode == 128 + signal.SIGINT, said
    assert "Traceback" not in said
    assert has_ended(processes), "nothing of the run is left on the workers"
    before = footprint(place / "games" / "cup")
    assert all(record.result for record in records(place / "games" / "cup"))

    contest = cup(place)
    found = seen(contest, play(contest, cluster.address))
    assert footprint(contest.folder).items() >= before.items()
    assert found == alone(GAMES)
