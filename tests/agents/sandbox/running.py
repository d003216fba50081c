"""What the tests of boxes share: homes at every level that this machine has, and programs that run in them."""

from __future__ import annotations

import contextlib
import functools
import os
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.sandbox.box import pid_of
from arbiter.agents.sandbox.levels import LEVELS, Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.trial import try_all
from arbiter.agents.sandbox.visible import visible_files
from arbiter.limits import Limits, Source, resolve
from tests.tools import missing

PATIENCE_MS = 20_000
"""How long an event may take before a test gives up on it; none takes anywhere near as long."""
BOXED: tuple[Level, ...] = LEVELS[1:]
CONTAINED: tuple[Level, ...] = ("namespace", "cgroup")
PYTHON = (sys.executable, "-S", "-I")


@functools.cache
def _tried() -> dict[Level, str]:
    return try_all()


def need(level: Level) -> None:
    """Skip the test where this level cannot be had."""
    if why_not := _tried()[level]:
        missing(f"level {level}: {why_not}")


def limits(**wanted: str | int) -> Limits:
    """The usual ones but for these."""
    return resolve([Source("test", wanted)])[0]


def program(folder: Path, name: str = "bot", source: str = "") -> Agent:
    """An agent in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return Agent(name, str(path), (*PYTHON, str(path)), folder, "Python", origin=path)


def home_of(
    level: Level, agent: Agent, others: Sequence[Agent] = (), private: Sequence[Path] = (), **wanted: str | int
) -> Sandbox:
    """Where this agent lives, at a level that the test needs."""
    need(level)
    return Sandbox(level, visible_files(agent, others, private), limits(**wanted))


class Running:
    """A program in a home, and the test's ends of its pipes."""

    def __init__(self, home: Sandbox, argv: Sequence[str]) -> None:
        their_in, self.stdin = os.pipe()
        self.stdout, their_out = os.pipe()
        try:
            self.pidfd, _ = home.box().spawn(argv, {"PATH": os.defpath}, home.folder, [their_in, their_out, their_out])
        finally:
            os.close(their_in)
            os.close(their_out)
        self.pid = pid_of(self.pidfd)
        self._heard = b""

    def line(self) -> str:
        """The next line it prints; what there is of it if it ends first."""
        while b"\n" not in self._heard:
            wait_for(self.stdout)
            chunk = os.read(self.stdout, 65536)
            if not chunk:
                break
            self._heard += chunk
        line, _, self._heard = self._heard.partition(b"\n")
        return line.decode()

    def everything(self) -> str:
        """All that it prints until it and its children have closed their output."""
        while True:
            wait_for(self.stdout)
            chunk = os.read(self.stdout, 65536)
            if not chunk:
                return self._heard.decode().strip()
            self._heard += chunk

    def cpu_ns(self) -> int:
        """Its CPU clock."""
        return time.clock_gettime_ns((~self.pid << 3) | 2)

    def state(self) -> str:
        """Running, sleeping, stopped …, as one letter of the kernel's."""
        return Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]

    def has_ended(self) -> bool:
        return is_ready(self.pidfd, 0)

    def close(self) -> None:
        for fd in (self.stdin, self.stdout, self.pidfd):
            os.close(fd)


@contextlib.contextmanager
def running(home: Sandbox, *argv: str) -> Iterator[Running]:
    """A program in a home."""
    started = Running(home, argv)
    try:
        yield started
    finally:
        started.close()


def python(home: Sandbox, source: str) -> contextlib.AbstractContextManager[Running]:
    """A Python program in a home."""
    return running(home, *PYTHON, "-c", source)


def said(home: Sandbox, source: str) -> str:
    """All that a Python program prints in a home, after which everything there is ended."""
    with python(home, source) as started:
        words = started.everything()
        home.end()
    return words


def is_ready(fd: int, patience_ms: int = PATIENCE_MS) -> bool:
    """Whether there is something to read, or for a pidfd: whether its process has ended."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(patience_ms))


def wait_for(fd: int) -> None:
    assert is_ready(fd), "nothing happened for a long time"


def until(condition: Callable[[], bool]) -> None:
    """Ask again and again until it is so."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while not condition():
        assert time.monotonic() < end, "it did not come to be so in a long time"
        os.sched_yield()
