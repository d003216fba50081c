"""A dozen games with hostile agents on two workers at once leave the machine as they found it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arbiter.agents.launch import tree
from tests.tools import missing

from .conftest import Asked
from .play import BY_NAME, Observed
from .rows import USERS, Row
from .users import Players

pytestmark = pytest.mark.slow

GAMES = 12
"""Games per user, on both workers together."""
WORKERS = 2
STRONGEST = {"root": "cgroup", "ordinary": "namespace"}
HOSTILE = [
    BY_NAME[name]
    for name in (
        "18-forks", "17-child_daemon", "33-attacks_its_box", "06-aborts", "24-litters", "16-child_own_session",
        "22-shared_memory", "09-floods_stdout", "32-kills_everybody", "10-floods_stderr", "18-fork_bomb", "05-silent",
    )
]  # fmt: skip


@pytest.mark.parametrize("user", USERS)
def test_many_games_at_once_leave_nothing_behind(user: str, players: Asked) -> None:
    who = players(user).user
    workers = [Players(who, f"worker-{number}") for number in range(WORKERS)]
    try:
        for worker in workers:
            started = worker.observe(BY_NAME["42-inherits_files"], STRONGEST[user])
            if started.refused:
                missing(f"sandbox level {STRONGEST[user]}: {user}: {started.refused}")
        before = found(workers)
        with ThreadPoolExecutor(WORKERS) as at_once:
            shares = [HOSTILE[number::WORKERS] for number in range(WORKERS)]
            played = at_once.map(lambda worker, share: play(worker, share, STRONGEST[user]), workers, shares)
            games = [game for share in played for game in share]
        after = found(workers)
    finally:
        for worker in workers:
            worker.close()
    assert len(games) == GAMES
    assert [game.raised or game.refused for game in games if game.raised or game.refused] == []
    for kind in ("survivors", "open_files", "temporary", "shared", "records", "host"):
        assert {game.after[kind] for game in games} == {"verified" if kind == "records" else "-"}, kind
    assert after == before


def play(worker: Players, share: Iterable[Row], level: str) -> list[Observed]:
    """Play this worker's share of the games."""
    return [worker.observe(row, level) for row in share]


def found(workers: Iterable[Players]) -> dict[str, object]:
    """Return everything that games of these workers could leave behind; other games may run on this machine."""
    pids = {pid for worker in workers for pid in (worker.pid, *tree.descendants(worker.pid))}
    return {
        "processes": sorted(pids),
        "open files": {pid: len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids},
        "mounts": mounts(),
        "namespaces": {Path(f"/proc/{pid}/ns/mnt").readlink() for pid in pids},
        "groups": sorted(path.name for pid in pids for path in groups(f"arbiter-{pid}-*")),
        "temporary files": sorted(path.name for worker in workers for path in (worker.folder / "tmp").iterdir()),
        "shared memory": [name for name in os.listdir("/dev/shm") if name.startswith("token-")],  # noqa: PTH208
    }


def mounts() -> list[str]:
    """Return what is mounted where in our mount namespace."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return sorted(" ".join(line.split()[3:5]) for line in lines)


def groups(pattern: str) -> list[Path]:
    """Return all cgroups with a matching name."""
    named: list[Path] = []
    for folder, below, _ in os.walk("/sys/fs/cgroup"):
        with contextlib.suppress(OSError):
            named += [Path(folder, name) for name in below if Path(name).match(pattern)]
    return named
