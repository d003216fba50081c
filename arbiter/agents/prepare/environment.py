"""The environment an agent runs in, built from nothing: what the arbiter was started with stays its own."""

from __future__ import annotations

import os
import site
from pathlib import Path

from arbiter.agents.launch.process import Launch
from arbiter.agents.prepare.agent import Agent
from arbiter.game import Lifetime

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "JAVA_HOME", "LD_LIBRARY_PATH")
_OF_THE_USER = ("HOME", "TMPDIR", "USER", "RUSTUP_HOME")
"""Handed on only to agents that run in the user's own surroundings."""


def launch(agent: Agent, seat: int, lifetime: Lifetime, home: str | None = None) -> Launch:
    """How to start this agent at this seat; ``home`` is its writable folder in a sandbox, if it has one."""
    names = _PASSED_ON if home else (*_PASSED_ON, *_OF_THE_USER)
    environment = {name: os.environ[name] for name in names if name in os.environ}
    environment.setdefault("PATH", os.defpath)
    environment.setdefault("LANG", "C.UTF-8")
    folder = home or str(agent.folder)
    environment["PWD"] = folder
    if home:
        environment |= {"HOME": home, "TMPDIR": home, "USER": "agent"}
        if Path(site.getuserbase()).is_dir():
            environment["PYTHONUSERBASE"] = (
                site.getuserbase()
            )  # packages that the user has installed are looked for there
    if lifetime != "move":
        # A bot that prints its answer and then blocks on reading the next state would otherwise keep it to itself.
        environment["PYTHONUNBUFFERED"] = "1"
    environment.update(agent.environment)
    return Launch(agent.command, folder, environment)
