"""Agents for measurements, and sandboxes for them. They need no compiler."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import visible_files
from arbiter.config.limits import Limits

Command = tuple[str, ...]

_ECHO = "import os\nwhile data := os.read(0, 65536): os.write(1, data)\n"
_BURN = """
import sys, time
clock = time.process_time_ns
for line in sys.stdin:
    until = clock() + 1000 * int(line)
    while clock() < until: pass
    print("ok", flush=True)
"""


def echo() -> Command:
    """Return an agent that copies its standard input to its standard output until end of file."""
    found = shutil.which("cat")
    return (found,) if found else _python(_ECHO)


def burner() -> Command:
    """Return an agent that uses as many microseconds of CPU time as each line says, then answers ``ok``."""
    return _python(_BURN)


def _python(source: str) -> Command:
    return (sys.executable, "-S", "-I", "-c", source)


def bench_sandbox(command: Sequence[str], level: Level, limits: Limits) -> Sandbox | None:
    """Return a sandbox for such an agent, which the caller must close; None at level ``none``."""
    if level == "none":
        return None
    program = Path(command[0])
    alone = len(command) == 1
    folder = program.parent if alone else Path("/")  # a script passed as an argument has no folder
    agent = Agent("bench", command[0], tuple(command), folder, "bench", origin=program if alone else None)
    return Sandbox(level, visible_files(agent, [], []), limits)


def launch_for(command: Sequence[str], sandbox: Sandbox | None) -> Launch:
    """Return how such an agent is launched."""
    return Launch(list(command), sandbox.folder if sandbox else "/", {"PATH": os.defpath})
