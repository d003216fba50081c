"""Agents that answer at once: the C programs in ``instant/``, compiled when a benchmark first needs them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from arbiter.agents.prepare import build, languages
from arbiter.workspace import Workspace

INSTANT = Path(__file__).parent / "instant"


@cache
def compiled(name: str) -> tuple[str, ...]:
    """The command that runs one."""
    source = INSTANT / f"{name}.c"
    return tuple(build.command_for(source, languages.table(Workspace())[".c"]))
