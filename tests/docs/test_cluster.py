"""The page about clusters: its commands are valid, and those for one machine work in their order."""

from __future__ import annotations

import re
import shlex
import signal
import socket
from pathlib import Path

import pytest

from tests.contest.running.processes import start
from tests.docs.parsing import check_options
from tests.nullgame.command import arbiter
from tests.tools import ROOT

PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for line in PAGE.splitlines() if line.startswith("    arbiter ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_on_the_page_have_valid_options(command: str, tmp_path: Path) -> None:
    if not command.startswith("arbiter cluster"):
        check_options(command)


def test_a_cluster_of_one_machine_works_as_the_page_says(tmp_path: Path) -> None:
    part = PAGE.split("## Several machines", maxsplit=1)[0]
    begin, *then = [line.strip() for line in part.splitlines() if line.startswith("    arbiter ")]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    own = ["--scheduler-port", str(port)]
    running = start(*shlex.split(begin)[1:], *own, folder=tmp_path)
    try:
        assert running.stdout is not None
        assert f"tcp://127.0.0.1:{port}" in running.stdout.readline()
        for line in then:
            command = line.replace("8786", str(port)).replace("--games 20", "--games 2")
            ran = arbiter(*shlex.split(command)[1:], folder=tmp_path)
            assert ran.code == 0, f"{command}: {ran.err}"
            assert re.search(r"ready|greedy-cpp", ran.out)
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
