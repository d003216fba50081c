"""--watch: the games are served while they are played, by a process that ends with the arbiter and never holds it up."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arbiter.web.library import game_id
from arbiter.web.watcher import Watcher, watching
from tests.nullgame.place import adder, write

pytestmark = pytest.mark.slow

WAITS = "read -r seat\nread -r state\nread -r word < {fifo}\necho 1\n"
"""A shell agent of Count up that answers when something is written to a fifo."""


def get(url: str, path: str) -> Any:
    host = url.removeprefix("http://").rstrip("/")
    connection = http.client.HTTPConnection(host, timeout=600)
    connection.request("GET", path)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_game_can_be_followed_while_it_is_played(place: Path) -> None:
    fifo = place / "fifo"
    os.mkfifo(fifo)
    waits = str(write(place / "waits.sh", WAITS.format(fifo=fifo)))
    command = [
        sys.executable, "-m", "arbiter", "play", "count_up", waits, adder(place, "adds", 2), "--watch",
        "--no-limits",  # the agent waits for the page, which gets little time on a busy machine
        "--save",
        "games",
        "-o",
        "turns=2",
    ]  # fmt: skip
    environment = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    game = subprocess.Popen(
        command, cwd=place, stderr=subprocess.PIPE, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        env=environment,
    )  # fmt: skip
    assert game.stderr is not None
    found = re.search(r"http://\S+", game.stderr.readline())
    assert found is not None
    with fifo.open(
        "w"
    ) as answer:  # opens when the agent reads: the game has begun, and waits for its first or second answer
        (path,) = (place / "games").glob("*.jsonl")
        document = get(found[0], f"/data/game/{game_id(path)}")
        assert (document["live"], document["result"]) == (True, None)
        answer.write("go\n")
    said, _ = game.communicate(timeout=300)
    assert game.returncode == 0
    assert "saved" in said
    with pytest.raises(ConnectionRefusedError):
        get(found[0], f"/data/game/{game_id(path)}")


def test_a_contest_can_be_watched(place: Path) -> None:
    agents = [adder(place, name, number) for name, number in (("high", 3), ("low", 1))]
    command = [
        sys.executable, "-m", "arbiter", "match", "count_up", *agents, "--games", "4", "--watch", "--quiet",
        "--save", "games", "--name", "cup",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True)
    assert re.search(r"watch +http://127\.0\.0\.1:\d+/", done.stderr)
    assert len(list((place / "games" / "cup").glob("*.jsonl"))) == 4


def test_the_server_gives_way_to_the_games(place: Path) -> None:
    last = max(os.sched_getaffinity(0))
    with watching(place, on=frozenset({last})) as watcher:
        get(watcher.url, "/data/games")  # the priority is lowered before anything is served
        pid = watcher._process.pid
        assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)
        assert os.sched_getscheduler(pid) == os.SCHED_BATCH
        assert os.sched_getaffinity(pid) == {last}
        autogroup = Path(f"/proc/{pid}/autogroup")
        if autogroup.exists() and autogroup.read_text():
            assert autogroup.read_text().split()[-2:] == ["nice", "10"], "its session competes with those of the games"


def test_the_server_ends_with_the_block(place: Path) -> None:
    with watching(place) as watcher:
        assert get(watcher.url, "/data/games")["found"] == 0
        assert watcher.running()
    assert not watcher.running()


def test_the_server_ends_when_the_arbiter_is_killed(place: Path) -> None:
    script = "import os, signal\nfrom arbiter.web.watcher import watching\nwith watching() as watcher:\n    print(watcher._process.pid, flush=True)\n    signal.pause()\n"
    arbiter = subprocess.Popen([sys.executable, "-c", script], cwd=place, stdout=subprocess.PIPE, text=True)
    assert arbiter.stdout is not None
    pid = int(arbiter.stdout.readline())
    server = os.pidfd_open(pid)
    arbiter.send_signal(signal.SIGKILL)
    arbiter.communicate()
    import select

    assert select.select([server], [], [], 300)[0], "the server is still running"
    os.close(server)


def test_a_server_that_hangs_or_is_gone_does_not_hold_up_the_games(place: Path) -> None:
    process = subprocess.Popen(["sleep", "1000"], stdin=subprocess.PIPE)
    try:
        watcher = Watcher("http://nowhere/", process)
        for number in range(3000):  # more than a pipe holds
            watcher.add(place / f"{number}-{'x' * 100}.jsonl")
    finally:
        process.kill()
        process.wait()
    watcher.add(place / "last.jsonl")
    assert not watcher.running()
    assert gone(process.pid)
    assert process.stdin is not None
    process.stdin.close()
