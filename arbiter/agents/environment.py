"""The environment an agent runs in, built from nothing: what the arbiter was started with stays its own."""

from __future__ import annotations

import os

from arbiter.agents.agent import Agent
from arbiter.agents.process import Launch
from arbiter.game import Lifetime

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "USER", "JAVA_HOME", "RUSTUP_HOME", "LD_LIBRARY_PATH")


def launch(agent: Agent, seat: int, lifetime: Lifetime) -> Launch:
    """How to start this agent at this seat."""
    environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    environment.setdefault("PATH", os.defpath)
    environment.setdefault("LANG", "C.UTF-8")
    environment["PWD"] = str(agent.folder)
    if lifetime != "move":
        # A bot that prints its answer and then blocks on reading the next state would otherwise keep it to itself.
        environment["PYTHONUNBUFFERED"] = "1"
    environment.update(agent.environment)
    return Launch(agent.command, str(agent.folder), environment, f"{os.getpid()}-{seat}-{agent.name}")
