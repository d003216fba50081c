"""The page about clusters: its commands work in their order, on one machine."""

from __future__ import annotations

import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.contest.running.around import records, varied
from tests.contest.running.processes import start
from tests.docs.commands import commands, text_of
from tests.nullgame.command import arbiter
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

INSTALL, *COMMANDS = commands(text_of("docs/cluster.md"))
HERE, SEVERAL, ENCRYPTED = COMMANDS[:3], COMMANDS[3:6], COMMANDS[6:]


def test_every_command_of_the_page_is_run() -> None:
    assert INSTALL == "pip install 'arbiter-games[cluster]'", "which would change the environment of the tests"
    assert [len(part) for part in (HERE, SEVERAL, ENCRYPTED)] == [3, 3, 2]
    assert all("--tls " in command for command in ENCRYPTED), "tests/cluster/test_tls.py runs them"


def test_a_cluster_of_one_machine_works_as_the_page_says(tmp_path: Path) -> None:
    begin, *then = HERE
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    running = start(*shlex.split(begin)[1:], "--scheduler-port", str(port), folder=tmp_path)
    try:
        assert running.stdout is not None
        assert f"tcp://127.0.0.1:{port}" in running.stdout.readline()
        for line in then:
            command = line.replace("8786", str(port)).replace("--games 20", "--games 2 -o max_rounds=2")
            ran = arbiter(*shlex.split(command)[1:], folder=tmp_path)
            assert ran.code == 0, f"{command}: {ran.err}"
            assert re.search(r"ready|greedy-cpp", ran.out)
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=600)


def test_a_scheduler_and_workers_that_dask_starts(place: Path) -> None:
    scheduler, worker, run = SEVERAL
    agents = [Path(path).name for path in varied(place, "ann", "bob")]
    cup = {"protocol": "auction", "agents": agents, "options": {"rounds": 1}, "schedule": {"kind": "round_robin"}}
    write(place / "my-cup.yaml", yaml.safe_dump(cup))
    here = ["--host", "127.0.0.1", "--no-dashboard"]
    processes = [
        dask(scheduler, *here, "--port", "0", folder=place),
        dask(worker.replace("--nthreads 16", "--nthreads 1"), *here, folder=place),  # which waits for the file
    ]
    try:
        said = processes[0].stderr
        assert said is not None
        assert any("Register worker" in line for line in said)
        ran = arbiter(*shlex.split(run)[1:], "--save", "games", folder=place)
    finally:
        for process in processes:
            process.terminate()
            process.communicate(timeout=600)
    assert ran.code == 0, ran.err
    assert all(record.header.host for record in records(place / "games" / "my-cup"))


def dask(command: str, *more: str, folder: Path) -> subprocess.Popen[str]:
    """Start a command of Dask, as if ``dask`` were on the PATH."""
    words = [sys.executable, "-m", "dask", *shlex.split(command)[1:], *more]
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
