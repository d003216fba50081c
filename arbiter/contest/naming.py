"""The default name of a contest given by flags: the same command finds its folder again, other contests get another one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

from arbiter.config.workspace import Workspace
from arbiter.contest.definition import Definition
from arbiter.contest.entries import expand_folders
from arbiter.contest.saved_definition import CONTEST_FILE, saved_definition


def default_name(wanted: str, definition: Definition, save: Path) -> str:
    """Return ``wanted``, or ``wanted-2`` and so on if its folder in ``save`` holds another contest.

    The folder holds this contest if it was started with the same arguments in the same folder, or if the agents of one
    contest are a subset of the other's: a contest can be continued with more agents, or with fewer.
    """
    for number in count(1):
        name = wanted if number == 1 else f"{wanted}-{number}"
        folder = save / name
        if not os.path.lexists(folder / CONTEST_FILE) or _same(saved_definition(folder), definition):
            return name
    raise AssertionError("count never ends")


def _same(saved: dict[str, Any], definition: Definition) -> bool:
    base = Path(definition.base).resolve()
    if (saved.get("given"), saved.get("base")) == (list(definition.given), str(base)):
        return True
    theirs = _resolved(map(str, saved.get("agents") or ()), Path(str(saved.get("base", "."))))
    ours = _resolved(expand_folders(definition.agents, base, Workspace()), base)
    return bool(theirs) and (theirs <= ours or ours <= theirs)


def _resolved(agents: Iterable[str], base: Path) -> set[str]:
    """The agents, with paths that do not depend on the folder they were typed in."""
    found: set[str] = set()
    for agent in agents:
        name, equals, program = agent.rpartition("=")
        path = base / program
        found.add(f"{name}{equals}{path.resolve()}" if path.exists() else agent)
    return found
