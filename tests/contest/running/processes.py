"""The command as a process of its own, agents that wait for a signal to go on, and checks that no process is left."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.agents.ask.harness import PATIENCE_MS, wait_readable
from tests.nullgame.place import write
from tests.tools import ROOT

PATIENCE_S = 600
CUP_FILE = """
protocol: auction
agents: [ann.sh, waits.sh]
options: {rounds: 1}
limits: {move: 600s}
schedule: {kind: round_robin, games: 6}
workers: 1
"""
"""A match file: six games, one at a time, against an agent that waits."""
RUN_CUP = ("run", "cup.yaml", "--save", "games")
WAITS = """
read -r seat
turn=0
while read -r word prize; do
    case $word in prize) ;; *) continue;; esac
    turn=$((turn + 1))
    if [ $turn = {turn} ] && rm {flag} 2> /dev/null; then
        echo $PPID $$ > {asked}
        {then}
    fi
    echo 5
done
"""
"""Plays normally, except that once it writes the process ids of its worker and of itself, and waits."""
FOR_A_WORD = "read -r word < {go}"
FOR_EVER = "exec sleep 1000"
"""Even when the arbiter has ended."""


class Waiting:
    """An agent for the Auction that will wait in a turn of its next game."""

    def __init__(self, place: Path, then: str = FOR_EVER, turn: int = 1) -> None:
        self._flag, asked, go = place / "flag", place / "asked", place / "go"
        for fifo in (asked, go):
            os.mkfifo(fifo)
        # For reading and writing, so that neither open() waits for the other end.
        self._asked, self._go = os.open(asked, os.O_RDWR), os.open(go, os.O_RDWR)
        then = then.format(go=go)
        self.path = str(write(place / "waits.sh", WAITS.format(flag=self._flag, asked=asked, then=then, turn=turn)))
        self._flag.touch()

    def until_asked(self) -> tuple[int, int]:
        """Return when it waits: its worker and itself, as descriptors of processes."""
        wait_readable(self._asked, "the agent to be asked")
        worker, agent = os.read(self._asked, 100).split()
        self.worker = int(worker)
        return os.pidfd_open(int(worker)), os.pidfd_open(int(agent))

    def go_on(self) -> None:
        os.write(self._go, b"go\n")


def start(*words: str | Path, folder: Path, out: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """``arbiter WORDS`` in a session of its own, as in a terminal of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "arbiter", *map(str, words)],
        cwd=folder, env=environment, stdout=out, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def read_until(process: subprocess.Popen[str], text: str) -> None:
    """Read standard error up to a line with this text."""
    assert process.stderr is not None
    for line in process.stderr:
        if text in line:
            return
    raise AssertionError(f"it ended without saying {text!r}")


def has_ended(pidfds: Sequence[int]) -> bool:
    """Whether all these processes end, sooner or later."""
    for pidfd in pidfds:
        wait_readable(pidfd, "the end of a process")
        os.close(pidfd)
    return True


def wait_until_nothing_is_left(session: int, place: Path) -> None:
    """Return when no process of this session is left, nor an agent whose program is in ``place``."""
    for _ in range(1000):
        left = list(_left(session, str(place).encode()))
        if not left:
            return
        with contextlib.suppress(ProcessLookupError):
            pidfd = os.pidfd_open(left[0])
            poll = select.poll()
            poll.register(pidfd, select.POLLIN)
            assert poll.poll(PATIENCE_MS), f"process {left[0]} is still there"
            os.close(pidfd)
    raise AssertionError(f"processes are still there: {left}")


def _left(session: int, place: bytes) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                state = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                its_own = int(state[3]) == session or place in (entry / "cmdline").read_bytes()
                if its_own and state[0] not in b"ZX":
                    yield int(entry.name)


def interrupt(process: subprocess.Popen[str]) -> None:
    """Ctrl-C: the terminal signals the process group in front."""
    os.killpg(process.pid, signal.SIGINT)
