"""How to start an agent's process: command, working directory and environment, which is built from nothing, so that the
arbiter's own variables do not leak."""

from __future__ import annotations

import os
import re
import site
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.languages import READLINE
from arbiter.agents.prepare.line_buffering import line_buffering
from arbiter.game import Lifetime

_INHERITED = ("PATH", "TZ", "JAVA_HOME", "LD_LIBRARY_PATH")
_NODE = ("node", "nodejs", "tsx", "npm", "npx")
_PRELOADED = '--require "{}"'.format(re.sub(r'(["\\])', r"\\\1", str(READLINE)))
_INHERITED_WITHOUT_SANDBOX = ("HOME", "TMPDIR", "USER", "RUSTUP_HOME")


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


def environment_for(agent: Agent, lifetime: Lifetime, sandbox_folder: str | None) -> dict[str, str]:
    """Return the environment of an agent; ``sandbox_folder`` is its writable folder in a sandbox, if it has one."""
    names = _INHERITED if sandbox_folder else (*_INHERITED, *_INHERITED_WITHOUT_SANDBOX)
    environment = {name: os.environ[name] for name in names if name in os.environ}
    environment.setdefault("PATH", os.defpath)
    environment["LANG"] = "C.UTF-8"  # as in builds; under C, Java cannot even open a file with an umlaut in its name
    environment["PWD"] = sandbox_folder or str(agent.folder)
    if sandbox_folder:
        environment |= {"HOME": sandbox_folder, "TMPDIR": sandbox_folder, "USER": "agent"}
        # Python looks there for packages that the user has installed.
        if os.path.isdir(site.getuserbase()):  # noqa: PTH112 - Path.is_dir may raise
            environment["PYTHONUSERBASE"] = site.getuserbase()
    if lifetime != "move":
        # Without these, an answer would stay in the buffer of a bot that prints and then blocks reading the next prompt.
        environment["PYTHONUNBUFFERED"] = "1"
        environment |= line_buffering(agent.command[0]) if agent.command else {}
    environment.update(agent.environment)
    if may_run_node(agent):
        environment["NODE_OPTIONS"] = " ".join(filter(None, (_PRELOADED, environment.get("NODE_OPTIONS"))))
    return environment


def buffering_of(agent: Agent) -> str:
    """Return what makes a long-lived agent write every line at once, even if it does not flush; empty if nothing does."""
    if Path(agent.command[0]).name.startswith("python"):
        return "PYTHONUNBUFFERED=1"
    return "stdbuf -oL" if line_buffering(agent.command[0]) else ""


def may_run_node(agent: Agent) -> bool:
    """Return whether an agent gets :data:`READLINE`: its program is node, or it is a folder whose author wrote the command."""
    return agent.is_packed or (bool(agent.command) and Path(agent.command[0]).name in _NODE)
