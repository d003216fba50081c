"""What it takes to start an agent's process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.environment import environment_for
from arbiter.game import Lifetime


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start an agent."""

    argv: Sequence[str]
    folder: str
    """The working directory."""
    environment: Mapping[str, str]


def launch_spec(agent: Agent, lifetime: Lifetime, sandbox_folder: str | None = None) -> Launch:
    """Return how to start this agent; ``sandbox_folder`` is its writable folder in a sandbox, if any."""
    environment = environment_for(agent, lifetime, sandbox_folder)
    return Launch(agent.command, sandbox_folder or str(agent.folder), environment)
