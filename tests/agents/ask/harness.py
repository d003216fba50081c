"""What the tests share: sitting agents at a table, waiting for events, and seeing that nothing is left behind."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
from collections.abc import Iterator, Mapping
from pathlib import Path

from arbiter.agents.ask.table import Request, Seat
from arbiter.agents.launch import strays, tree
from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.config.limits import Limits, Source, resolve_limits
from arbiter.config.workspace import Workspace
from arbiter.game import Lifetime
from tests.agents.built import built
from tests.tools import ROOT

AGENTS = ROOT / "sample_agents" / "misbehaving"
PATIENCE_MS = 600_000
"""How long an event may take before a test gives up on it; none takes anywhere near as long."""


def workspace(
    folder: Path, agent: Path, limits: Mapping[str, str | int], environment: Mapping[str, str] | None = None
) -> Workspace:
    """A folder whose arbiter.toml names the ``guest`` under test, and the ``host``, which has a generous time limit."""
    folder.mkdir(parents=True, exist_ok=True)
    text = f"""
        sandbox = "none"
        [agents.guest]
        agent = {json.dumps(str(agent))}
        limits = {{ {_pairs(limits)} }}
        environment = {{ {_pairs(environment or {})} }}
        [agents.host]
        agent = {json.dumps(str(AGENTS / "steady.c"))}
        limits = {{ move = "60s", first_move = "60s" }}
    """
    (folder / "arbiter.toml").write_text(text, encoding="utf-8")
    return Workspace(folder)


def _pairs(values: Mapping[str, str | int]) -> str:
    return ", ".join(f"{name} = {json.dumps(value)}" for name, value in values.items())


@contextlib.contextmanager
def leaving_nothing() -> Iterator[None]:
    """Check that whatever happens inside leaves no process and no open file behind."""
    gc.collect()  # objects of earlier tests may hold files, which would be closed in between
    files, below = _open_files(), tree.children(os.getpid())
    yield
    # Files of earlier tests may have been closed meanwhile, by a server that was still ending in another thread.
    left_open = _open_files().items() - files.items()
    assert left_open == set()
    assert tree.children(os.getpid()) == below
    assert marked_processes() == []


def _open_files() -> dict[int, str]:
    """Return what each open descriptor refers to."""
    found: dict[int, str] = {}
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the listing sees the descriptor that it was read through
            found[int(entry.name)] = str(entry.readlink())
    return found


def marked_processes() -> list[int]:
    """Every process on this machine that an agent of this test run has started, wherever it hides."""
    mark = f"{strays.VARIABLE}={os.getpid()}-".encode()
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and any(
                word.startswith(mark) for word in (entry / "environ").read_bytes().split(b"\0")
            ):
                found.append(int(entry.name))
    return found


def wait_readable(fd: int, what: str) -> None:
    """Return as soon as there is something to read."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    assert poll.poll(PATIENCE_MS), f"waited in vain for {what}"


def wait_for_end(pid: int) -> None:
    """Return as soon as a process has ended, reaped or not."""
    pidfd = os.pidfd_open(pid)
    try:
        wait_readable(pidfd, f"the end of process {pid}")
    finally:
        os.close(pidfd)


def seat(agent: str, lifetime: Lifetime, index: int = 0, **limits: str | int) -> Seat:
    """A misbehaving agent at a table of no particular game."""
    found = built(str(AGENTS / agent), None, Workspace(AGENTS))
    return Seat(launch_spec(found, lifetime), terms(**limits), lifetime)


def terms(**limits: str | int) -> Limits:
    """Limits that are generous by default."""
    return resolve_limits([Source("test", {"move": "60s", **limits})])[0]


def request(prompt: str, index: int = 0) -> Request:
    """A question without a briefing."""
    return Request(index, prompt, lambda _: "")
