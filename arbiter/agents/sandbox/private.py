"""Folders that no agent may read, whatever else is visible to it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.places import is_in

CONTEST_FILE = "contest.yaml"
"""A file that every contest folder has."""


def private_folders(save: Path, games: Path, agents: Iterable[Agent]) -> tuple[str, ...]:
    """Return the folder that games are saved in, those of other contests next to it, and the workspace's saved games.

    The workspace's saved games are left out if an agent's program is among them; the folder that games are saved in is
    private nevertheless.
    """
    programs = [os.path.realpath(path) for agent in agents for path in (agent.folder, agent.origin) if path]
    inside = any(is_in(program, [os.path.realpath(games)]) for program in programs)
    found = [str(save.absolute()), *_contests_in(save.absolute().parent), *([] if inside else [str(games.absolute())])]
    return tuple(dict.fromkeys(found))


def _contests_in(folder: Path) -> Iterator[str]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if os.path.lexists(os.path.join(entry.path, CONTEST_FILE)):
                yield entry.path
