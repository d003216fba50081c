"""A limit on open files that is too low is one line before the first game, not a fault of an agent in the middle of one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.nullgame.place import BIDS, write

pytestmark = pytest.mark.slow

SHOWS_LIMIT = "echo kibitz $(ulimit -n) >&2\n" + BIDS.format(5)


def run(limit: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    line = f'ulimit {limit} && exec "$0" -m arbiter "$@"'
    return subprocess.run(
        ["bash", "-c", line, sys.executable, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("command", [("play",), ("match", "--games", "2")])
def test_a_hard_limit_that_is_too_low_is_one_line(place: Path, command: tuple[str, ...]) -> None:
    agents = [write(place / f"{name}.sh", BIDS.format(5)).name for name in ("ann", "bob")]
    ran = run("-n 32", command[0], "auction", *agents, *command[1:], folder=place)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "arbiter: only 32 files may be open at the same time, and games need 256: raise 'ulimit -n'\n"


def test_a_soft_limit_is_raised(place: Path) -> None:
    agents = [write(place / f"{name}.sh", SHOWS_LIMIT).name for name in ("ann", "bob")]
    ran = run("-Sn 32", "play", "auction", *agents, "--json", folder=place)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["games"][0]["faults"] == []


@pytest.mark.parametrize("command", ["games", "verify"])
def test_saved_games_can_be_looked_at_with_few_files(place: Path, command: str) -> None:
    agents = [write(place / f"{name}.sh", BIDS.format(5)).name for name in ("ann", "bob")]
    assert run("-n 1024", "play", "auction", *agents, "--save", "saved", folder=place).returncode == 0
    assert run("-n 32", command, "saved", folder=place).returncode == 0
