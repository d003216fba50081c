"""The arbiter is killed at random moments of a contest. Nothing finished is lost, nothing is played twice, no
process is left behind, and the result is that of an undisturbed run."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from arbiter.contest import secret
from arbiter.records.reader import load_record
from tests.contest.running.around import VARIED, broken, finished, varied
from tests.contest.running.processes import wait_until_nothing_is_left
from tests.nullgame.command import fork_server

pytestmark = pytest.mark.slow

KILLS = 10
"""Of each contest."""
PATIENCE_MS = 600_000
AGENTS = ("ann", "bob", "cid", "dan", "eva")
CONTESTS: list[dict[str, Any]] = [
    {"schedule": {"kind": "round_robin", "games": 16}, "workers": 2, "until": "games(80)", "set_aside": 5},
    {"schedule": {"kind": "swiss", "rounds": 6, "games": 6}, "workers": 1},
    {"schedule": {"kind": "ladder", "batch": 10, "rest_after": 30}, "workers": 1},
]


class Command:
    """``arbiter run`` on one contest, up to its end or until it is killed."""

    def __init__(self, place: Path, save: Path) -> None:
        self._place, self._out, self._err = place, place / "result.json", place / "errors"
        environment = dict(os.environ)
        server = fork_server(environment)
        assert server is not None
        with self._out.open("wb") as out, self._err.open("wb") as err, Path(os.devnull).open("rb") as nothing:
            files = [nothing.fileno(), out.fileno(), err.fileno()]
            words = ["run", "cup.yaml", "--save", str(save), "--json"]
            self._process = server.start(words, place, environment, files, session=True)
        self._status: int | None = None

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)
            self._process.wait()
        wait_until_nothing_is_left(self._process.pid, self._place)

    def ends_within(self, moment_ms: int) -> bool:
        return bool(_readable([self._process.fileno()], moment_ms))

    def ends_within_games(self, count: int, played_pipe: int) -> bool:
        """Whether it ends before ``count`` games have been played; each writes one byte to ``played_pipe``."""
        while count > 0:
            readable = _readable([self._process.fileno(), played_pipe], PATIENCE_MS)
            assert readable, "nothing happens any more"
            if self._process.fileno() in readable:
                return True
            count -= len(os.read(played_pipe, count))
        return False

    def result(self) -> dict[str, Any]:
        assert _readable([self._process.fileno()], PATIENCE_MS), "it does not end"
        self._status = self._process.wait()
        assert self._status == 0, self._err.read_text(encoding="utf-8")
        return comparable(json.loads(self._out.read_bytes()))


def _readable(fds: list[int], most_ms: int) -> list[int]:
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return [fd for fd, _ in poll.poll(most_ms)]


def ends_at_a_moment(command: Command, moments: Random, played_pipe: int, idle_ms: int) -> bool:
    """Whether it has ended at some moment: half of them while it gets going, half in the midst of its games."""
    with contextlib.suppress(BlockingIOError):
        os.read(played_pipe, 65536)  # bytes of earlier games
    if moments.random() < 0.5:
        return command.ends_within(moments.randint(0, idle_ms))
    return command.ends_within_games(moments.randint(1, 12), played_pipe) or command.ends_within(moments.randint(0, 10))


def comparable(document: dict[str, Any]) -> dict[str, Any]:
    """A result without what depends on when and where games were played, and how often it was resumed."""
    for row in document["rows"]:
        del row["think_us"]
    for game in document["games"]:
        del game["think_us"], game["record"]
    del document["notes"], document["counts"]["played"]
    return document


def digests(folder: Path) -> dict[str, str]:
    return {path.name: result.digest for path in folder.glob("*.jsonl") if (result := load_record(path).result)}


@pytest.mark.timeout(600)  # starts the arbiter many times
@pytest.mark.parametrize("contest", CONTESTS, ids=lambda contest: f"{contest['schedule']['kind']} {contest['workers']}")
def test_nothing_is_lost_and_nothing_is_played_twice(place: Path, contest: dict[str, Any]) -> None:
    agents = varied(place, *AGENTS[: 4 if contest["schedule"]["kind"] == "swiss" else 5])
    agents += broken(place, "bad") if "set_aside" in contest else []
    os.mkfifo(place / "played")
    played_pipe = os.open(place / "played", os.O_RDWR | os.O_NONBLOCK)
    tells = VARIED.format(0).replace("in prize)", f"in prize) printf x > {place / 'played'};")
    (place / f"{AGENTS[0]}.sh").write_text(tells, encoding="utf-8")
    text = yaml.safe_dump({"protocol": "auction", "agents": agents, "options": {"rounds": 1}, **contest})
    (place / "cup.yaml").write_text(text, encoding="utf-8")
    drawn = [secret.draw()]
    (place / "whole" / "cup").mkdir(parents=True)
    secret.save(place / "whole" / "cup", drawn)
    with Command(place, place / "whole") as command:
        whole = command.result()
    began = time.monotonic()
    with Command(place, place / "whole") as command:
        assert command.result() == whole
    idle_ms = round(1000 * (time.monotonic() - began))  # to find that there is nothing to do
    needed = digests(place / "whole" / "cup")
    moments = Random(CONTESTS.index(contest))
    kills = number = 0
    while kills < KILLS:
        number += 1
        folder = place / str(number) / "cup"
        folder.mkdir(parents=True)
        secret.save(folder, drawn)
        kept: dict[str, tuple[int, int, bytes]] = {}
        ended = None
        while ended is None:
            with Command(place, folder.parent) as command:
                if kills == KILLS or ends_at_a_moment(command, moments, played_pipe, idle_ms):
                    ended = command.result()
            kills += ended is None
            now = finished(folder)
            assert {name: now.get(name) for name in kept} == kept, "a finished game was lost, or played again"
            kept = now
        assert ended == whole
        found = digests(folder)
        assert found.items() >= {name: needed[name] for name in needed.keys() & found.keys()}.items()
    assert kills == KILLS
    os.close(played_pipe)
