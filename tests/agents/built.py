"""Agents as tests need them: found and built, as a run does it before its first game."""

from __future__ import annotations

from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.config.workspace import Workspace
from arbiter.game import Protocol


def built(text: str, protocol: Protocol | None, workspace: Workspace) -> Agent:
    """Return the agent that a user typed, built under the settings of the workspace."""
    return Builder(choose_sandbox(workspace.settings.sandbox)).build(resolve_agent(text, protocol, workspace))
