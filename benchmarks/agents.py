"""Agents that answer immediately: the C programs in ``instant/``, compiled when a benchmark first needs them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from arbiter.agents.prepare import build, languages
from arbiter.workspace import Workspace

INSTANT = Path(__file__).parent / "instant"


@cache
def compiled(name: str) -> tuple[str, ...]:
    """Return the command that runs an agent of ``instant/``, compiled if necessary."""
    source = INSTANT / f"{name}.c"
    return tuple(build.command_for(source, languages.table(Workspace())[".c"]))
