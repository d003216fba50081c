"""Agents to measure with, and where they run. They need nothing that is not on every machine the arbiter runs on."""

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
from arbiter.limits import Limits

Command = tuple[str, ...]

_REPEATS = "import os\nwhile data := os.read(0, 65536): os.write(1, data)\n"
_BURNS = """
import sys, time
clock = time.process_time_ns
for line in sys.stdin:
    until = clock() + 1000 * int(line)
    while clock() < until: pass
    print("ok", flush=True)
"""


def echo() -> Command:
    """An agent that says what it is told, at once: for a whole game, or until its input ends."""
    found = shutil.which("cat")
    return (found,) if found else _python(_REPEATS)


def burner() -> Command:
    """An agent that works for as many microseconds of CPU time as it is told, and then says ok."""
    return _python(_BURNS)


def _python(source: str) -> Command:
    return (sys.executable, "-S", "-I", "-c", source)


def home_of(command: Sequence[str], level: Level, limits: Limits) -> Sandbox | None:
    """A sandbox for such an agent; None at level ``none``. To be closed by whoever asked for it."""
    if level == "none":
        return None
    program = Path(command[0])
    alone = len(command) == 1
    folder = program.parent if alone else Path("/")  # a script in an argument has no folder to look at
    agent = Agent("bench", command[0], tuple(command), folder, "bench", origin=program if alone else None)
    return Sandbox(level, visible_files(agent, [], []), limits)


def launch_of(command: Sequence[str], home: Sandbox | None) -> Launch:
    """How such an agent is started."""
    return Launch(list(command), home.folder if home else "/", {"PATH": os.defpath})
