"""What the tests of the sandbox share: sandboxes at every level that works here, and programs that run in them."""

from __future__ import annotations

import contextlib
import functools
import os
import select
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.sandbox.box import pid_of
from arbiter.agents.sandbox.levels import LEVELS, Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.trial import try_all
from arbiter.agents.sandbox.visible import visible_files
from arbiter.config.limits import Limits, Source, resolve_limits
from tests.tools import missing

PATIENCE_MS = 600_000
"""How long to wait for an event before the test fails; none takes nearly as long."""
BOXED: tuple[Level, ...] = LEVELS[1:]
CONTAINED: tuple[Level, ...] = ("namespace", "cgroup")
PYTHON = (sys.executable, "-S", "-I")


@functools.cache
def _tried() -> dict[Level, str]:
    return try_all()


def need(level: Level) -> None:
    """Skip the test where this level is not available."""
    if why_not := _tried()[level]:
        missing(f"sandbox level {level}: {why_not}")


def limits(**wanted: str | int) -> Limits:
    """The default limits except for these."""
    return resolve_limits([Source("test", wanted)])[0]


def program(folder: Path, name: str = "bot", source: str = "") -> Agent:
    """An agent in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return Agent(name, str(path), (*PYTHON, str(path)), folder, "Python", origin=path)


def sandbox_of(
    level: Level, agent: Agent, others: Sequence[Agent] = (), private: Sequence[Path] = (), **wanted: str | int
) -> Sandbox:
    """The sandbox of an agent; skips the test where its level is not available."""
    need(level)
    return Sandbox(level, visible_files(agent, others, private), limits(**wanted))


class Running:
    """A program in a sandbox, and our ends of its pipes."""

    def __init__(self, sandbox: Sandbox, argv: Sequence[str]) -> None:
        their_in, self.stdin = os.pipe()
        self.stdout, their_out = os.pipe()
        try:
            self.pidfd, *_ = sandbox.box().spawn(
                argv, {"PATH": os.defpath}, sandbox.folder, [their_in, their_out, their_out]
            )
        finally:
            os.close(their_in)
            os.close(their_out)
        self.pid = pid_of(self.pidfd)
        self._heard = b""

    def line(self) -> str:
        """Return the next line it prints, or part of one if it ends first."""
        while b"\n" not in self._heard:
            wait_for(self.stdout)
            chunk = os.read(self.stdout, 65536)
            if not chunk:
                break
            self._heard += chunk
        line, _, self._heard = self._heard.partition(b"\n")
        return line.decode()

    def everything(self) -> str:
        """Return all it prints until it and its children have closed their output."""
        while True:
            wait_for(self.stdout)
            chunk = os.read(self.stdout, 65536)
            if not chunk:
                return self._heard.decode().strip()
            self._heard += chunk

    def cpu_ns(self) -> int:
        """Return its CPU time."""
        return time.clock_gettime_ns((~self.pid << 3) | 2)

    def state(self) -> str:
        """Return its process state (R, S, T …)."""
        return Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]

    def has_ended(self) -> bool:
        return is_ready(self.pidfd, 0)

    def close(self) -> None:
        for fd in (self.stdin, self.stdout, self.pidfd):
            os.close(fd)


@contextlib.contextmanager
def running(sandbox: Sandbox, *argv: str) -> Iterator[Running]:
    """Run a program in a sandbox."""
    started = Running(sandbox, argv)
    try:
        yield started
    finally:
        started.close()


def python(sandbox: Sandbox, source: str) -> contextlib.AbstractContextManager[Running]:
    """Run a Python program in a sandbox."""
    return running(sandbox, *PYTHON, "-c", source)


def said(sandbox: Sandbox, source: str) -> str:
    """Run a Python program in a sandbox and return what it prints; then end everything there."""
    with python(sandbox, source) as started:
        words = started.everything()
        sandbox.end()
    return words


def is_ready(fd: int, patience_ms: int = PATIENCE_MS) -> bool:
    """Return whether there is something to read, or for a pidfd whether its process has ended."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(patience_ms))


def wait_for(fd: int) -> None:
    assert is_ready(fd), "nothing happened for a long time"
