"""Agents that answer immediately: the C programs in ``instant/``, compiled when a benchmark first needs them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.config.workspace import Workspace

INSTANT = Path(__file__).parent / "instant"


@cache
def compiled(name: str) -> tuple[str, ...]:
    """Return the command that runs an agent of ``instant/``, compiled if necessary."""
    return Builder(choose_sandbox("auto")).build(resolve_agent(str(INSTANT / f"{name}.c"), None, Workspace())).command
