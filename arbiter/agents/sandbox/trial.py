"""Which levels work on this machine, found out by making a box of each and running a program in it."""

from __future__ import annotations

import functools
import os
import select
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.sandbox import levels
from arbiter.agents.sandbox.box import BoxFailed
from arbiter.agents.sandbox.levels import Level, SandboxChoice
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import visible_files
from arbiter.limits import resolve

_TRIAL_MS = 10_000


@functools.cache
def choose(asked: str) -> SandboxChoice:
    """Return the sandbox for ``--sandbox``; see :func:`arbiter.agents.sandbox.levels.choose`."""
    return levels.choose(asked, _try)


def try_all() -> dict[Level, str]:
    """Return for every level what failed, empty if it works."""
    found: dict[Level, str] = {"none": ""}
    for level in levels.LEVELS[1:]:
        try:
            _try(level)
            found[level] = ""
        except (BoxFailed, OSError, RuntimeError) as failure:
            found[level] = str(failure)
    return found


def _try(level: Level) -> None:
    """Make a box of this level and run a program in it. Raises an exception that says what failed."""
    limits, _ = resolve([])
    program = shutil.which("true") or sys.executable
    argv = [program] if program != sys.executable else [program, "-S", "-I", "-c", ""]
    files = visible_files(Agent("canary", program, tuple(argv), Path("/usr"), "canary"), [], [])
    with Sandbox(level, replace(files, own_links=()), limits) as sandbox, open(os.devnull, "r+b") as null:
        pidfd, _ = sandbox.box().spawn(argv, {}, sandbox.folder, [null.fileno()] * 3)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        poll.poll(_TRIAL_MS)
        os.close(pidfd)
        report = sandbox.end()
        if report.exit_code:
            raise BoxFailed(f"{program} exited with {report.exit_code}")
