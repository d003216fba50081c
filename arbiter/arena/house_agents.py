"""House agents: those that fill seats in training games and in the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from arbiter import registry
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError

DEFAULT = "random"
"""The named agent that every bundled protocol has."""


def house_agents(workspace: Workspace, protocol: str, chosen: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the house agents by protocol: those chosen for ``protocol``, and ``random`` wherever there is one.

    Raises UserError if a chosen agent cannot play.
    """
    found = registry.find_protocol(protocol, workspace)
    for agent in chosen:
        if resolve_agent(agent, found, workspace).is_outside:
            raise UserError(f"house agent {agent!r}: must be a program on this machine")
    house: dict[str, Sequence[str]] = {
        name: [DEFAULT] for name in registry.protocol_names(workspace) if DEFAULT in workspace.agents(name)
    }
    # Games are planned in the workspace's folder, not in the one where the command was typed.
    own = [str(Path(agent).absolute()) if Path(agent).exists() else agent for agent in chosen]
    return {**house, protocol: own} if own else house
