"""An arbiter that is killed while it builds leaves neither compilers nor half-built folders."""

from __future__ import annotations

import os
import secrets
import subprocess
from pathlib import Path

import pytest

from arbiter.agents.building.builder import WEAK
from tests.agents.ask.harness import wait_readable
from tests.agents.containment.rows import PAIRS
from tests.agents.containment.users import User
from tests.nullgame.place import write
from tests.tools import missing, until

pytestmark = pytest.mark.slow

ANNOUNCED = """
import sys
from arbiter.agents.building import run
from tests.agents.building.building import main
keep = run.Output.write
def write(output, data):
    keep(output, data)
    print("printed", flush=True)
run.Output.write = write
main(*sys.argv[1:])
"""
"""Builds, and says when the build has printed something."""


@pytest.mark.parametrize(("level", "name"), [pair for pair in PAIRS if pair[0] not in WEAK])
def test_nothing_is_left_of_a_build(level: str, name: str) -> None:
    user = User(name)
    mark = str(90_000 + secrets.randbelow(9_000))
    try:
        folder = write(user.folder / "bot" / "agent.yaml", f"build: sh {mark}.sh\nrun: sh {mark}.sh\n").parent
        write(folder / f"{mark}.sh", f"setsid sleep {mark} & touch half; sleep {mark} & echo started; sleep {mark}\n")
        user.own(user.folder)
        environment = {**user.environment, "XDG_CACHE_HOME": str(user.folder / "cache")}
        arbiter = subprocess.Popen(
            user.python("-c", ANNOUNCED, level, user.folder / "games", folder),
            cwd=user.folder, env=environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        with arbiter:
            line = arbiter.stdout.readline() if arbiter.stdout else ""
            if "unavailable" in line:
                missing(f"sandbox level {level}: {name}: {line}")
            assert line == "printed\n"
            running = [os.pidfd_open(pid) for pid in processes(mark)]
            arbiter.kill()
        assert len(running) >= 3
        for pidfd in running:
            wait_readable(pidfd, "the end of a process of the build")
            os.close(pidfd)
        until(
            lambda: not processes(mark), "the end of the build"
        )  # the shell may have started the last one after the list was made
        left = [path.name for path in (user.folder / "cache" / "bot").rglob("*") if path.name != ".lock"]
        assert sorted(left) == ["arbiter", "builds"]
        if level != "landlock":  # there, the next arbiter removes the folder
            assert not list(user.folder.glob("arbiter-own-*"))
    finally:
        user.close()


def processes(mark: str) -> list[int]:
    """Return the processes with this text in their command line."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found
