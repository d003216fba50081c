"""House agents: those that fill seats in training games and in the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter import registry
from arbiter.agents.prepare.resolve import resolve
from arbiter.workspace import Workspace

DEFAULT = "random"
"""The named agent that every bundled protocol has."""


def house_agents(workspace: Workspace, protocol: str, chosen: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the house agents by protocol: those chosen for ``protocol``, and ``random`` wherever there is one.

    Raises UserError if a chosen one cannot be played.
    """
    found = registry.find(protocol, workspace)
    for agent in chosen:
        resolve(agent, found, workspace)
    house: dict[str, Sequence[str]] = {
        name: [DEFAULT] for name in registry.names(workspace) if DEFAULT in workspace.agents(name)
    }
    return {**house, protocol: chosen} if chosen else house
