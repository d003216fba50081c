"""How to start an agent's process: command, working directory and environment."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import msgspec

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.environment import environment_for
from arbiter.game import Lifetime


class Launch(msgspec.Struct, frozen=True):
    """How to start an agent."""

    argv: Sequence[str]
    folder: str
    """The working directory."""
    environment: Mapping[str, str]


def launch_spec(agent: Agent, lifetime: Lifetime, sandbox_folder: str | None = None, copied: bool = False) -> Launch:
    """Return how to start this agent; ``sandbox_folder`` is its writable folder in a sandbox, if any.

    ``copied``: the files of its own folder are copied there, and the copies are run. So what it finds next to its program, by
    whatever path, is a copy, too.
    """
    environment = environment_for(agent, lifetime, sandbox_folder)
    argv: Sequence[str] = agent.command
    if sandbox_folder and copied:
        argv = tuple(_copy_of(word, str(agent.folder), sandbox_folder) for word in argv)
    return Launch(argv, sandbox_folder or str(agent.folder), environment)


def _copy_of(word: str, folder: str, copies: str) -> str:
    """Return the path of the copy if a word of a command is the path of a file that was copied."""
    copy = copies + word.removeprefix(folder)
    return copy if f"{word}/".startswith(f"{folder}/") and os.path.lexists(copy) else word
