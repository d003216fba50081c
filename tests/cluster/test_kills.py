"""Processes of a cluster are killed at random moments of games: nothing is lost, and nothing counts twice.

``make kills`` kills fifty with a fresh seed; the tests only a few, always the same.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import psutil
import pytest
import yaml

from arbiter.contest.definition import Contest
from arbiter.contest.ledger import ANNULLED, LEFT_OUT
from arbiter.contest.runner import run_contest
from tests.cluster.real import Cluster
from tests.contest.running.around import VARIED, auction, finished, records, summary, varied
from tests.nullgame.place import arbiter_toml, write
from tests.tools import ROOT

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("ARBITER_CLUSTER_KILLS", "4"))
SEED = int(os.environ.get("ARBITER_CLUSTER_SEED", "1"))
GAMES = 8 * KILLS
KINDS = {"worker": 4, "player": 4, "head": 3, "scheduler": 1}
"""What is killed, and how often compared with the others. A player is the process in which games are played."""
SCHEDULE: dict[str, object] = {"kind": "round_robin", "games": GAMES, "seed": 7}
WAITS = VARIED.replace("echo", "echo > {asked}; read -r word < {go}; echo")
"""Plays like an agent of ``varied``, but says that it is asked for a move, and waits until it may answer."""
PATIENCE_MS = 600_000


class Head:
    """The command that runs the contest, started again whenever it has ended before the contest was complete."""

    def __init__(self, place: Path, address: str) -> None:
        self._place, self._words = place, ("run", "cup.yaml", "--save", "games", "--cluster", address)
        for name in ("asked", "go"):
            os.mkfifo(place / name)
        # For reading and writing, so that neither open() waits for the other end.
        self._asked, self._go = (os.open(place / name, os.O_RDWR | os.O_NONBLOCK) for name in ("asked", "go"))
        self.start()

    def start(self) -> None:
        with (self._place / "head.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "arbiter", *self._words],
                cwd=self._place, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=log, stderr=log,
            )  # fmt: skip

    def plays(self, moves: int) -> bool:
        """Wait until agents were asked for so many moves, and let all but the last of them answer. Returns False if the
        command ends before that."""
        ended = os.pidfd_open(self._process.pid)
        try:
            poll = select.poll()
            for fd in (ended, self._asked):
                poll.register(fd, select.POLLIN)
            while True:
                ready = [fd for fd, _ in poll.poll(PATIENCE_MS)]
                assert ready, f"nothing happens: {self.log}"
                if self._asked not in ready:
                    return False
                moves -= len(os.read(self._asked, 1))
                if not moves:
                    return True
                self.answer(1)
        finally:
            os.close(ended)

    def answer(self, moves: int) -> None:
        """Let agents answer so often."""
        os.write(self._go, b"\n" * moves)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def ended(self) -> int:
        """Wait for the end of the command; returns its exit status."""
        return self._process.wait(PATIENCE_MS / 1000)

    @property
    def log(self) -> str:
        return (self._place / "head.log").read_text(encoding="utf-8")


def cup(place: Path, first: Path) -> Contest:
    agents = [str(first), *varied(place, "bob")]
    return auction(place, agents, SCHEDULE, limits={"move": "600s"}, set_aside=0)


def result_of(contest: Contest) -> dict[str, Any]:
    """The result of a contest, of which every game has been played, and the digests of its records."""
    result = run_contest(contest)
    digests = [record.result.digest for record in records(contest.folder) if record.result]
    return {**summary(contest, result), "records": digests, "now played": result.progress.now_played}


@pytest.mark.timeout(300 + 20 * KILLS)
def test_random_kills_lose_nothing_and_count_nothing_twice(place: Path, cluster: Cluster) -> None:
    print(f"ARBITER_CLUSTER_SEED={SEED}")
    luck, killed = Random(SEED), Counter[str]()
    first = write(place / "ann.sh", WAITS.format(3, asked=place / "asked", go=place / "go"))
    varied(place, "bob")
    file = {"protocol": "auction", "agents": ["ann.sh", "bob.sh"], "options": {"rounds": 1}, "limits": {"move": "600s"}}
    write(place / "cup.yaml", yaml.safe_dump({**file, "schedule": SCHEDULE}))
    folder = place / "games" / "cup"
    head, kept = Head(place, cluster.address), dict[str, Any]()
    while killed.total() < KILLS:
        if not head.plays(luck.randint(1, 7)):
            assert head.ended() == 2, f"it was complete before the last kill: {head.log}"
            head.start()  # the scheduler was killed
            continue
        (kind,) = luck.choices([*KINDS], [*KINDS.values()])
        killed[kind] += 1
        kill(kind, head, cluster, luck)
        head.answer(1)
        now = finished(folder)
        assert now.items() >= kept.items(), f"a finished game has changed after {killed}"
        kept = now
    head.answer(10 * GAMES)
    while head.ended() != 0:
        head.start()
    assert {path.name for path in folder.iterdir() if path.is_dir()}.isdisjoint({ANNULLED, LEFT_OUT})
    assert finished(folder).items() >= kept.items()
    print(dict(killed), head.log)
    assert "Traceback" not in head.log

    alone = place / "alone"
    alone.mkdir()
    arbiter_toml(alone)
    undisturbed = cup(alone, *map(Path, varied(alone, "cid", "ann")[1:]))
    run_contest(undisturbed)
    assert result_of(cup(place, first)) == result_of(undisturbed)


def kill(kind: str, head: Head, cluster: Cluster, luck: Random) -> None:
    """Kill a process outright, and start another one in its place."""
    if kind == "head":
        head.kill()
        head.start()
        return
    if kind == "scheduler":
        cluster.scheduler.kill()
        cluster.scheduler.wait()
    else:
        name = luck.choice(sorted(cluster.workers))
        players = psutil.Process(cluster.workers[name].pid).children()
        if kind == "player" and players:
            luck.choice(players).kill()
        else:
            cluster.kill(name)
    cluster.repair(2)
