"""The agents of a protocol that have names in arbiter.toml, and whether they can run here."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.config.workspace import AgentEntry, Workspace
from arbiter.errors import UserError
from arbiter.game import Protocol


class NamedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """An agent with a name, and whether it can run."""

    name: str
    about: str
    language: str
    path: str
    problem: str
    """Why it cannot run; empty if it can."""


def named_agents(protocol: Protocol, workspace: Workspace) -> list[NamedAgent]:
    """Return the named agents of a protocol, with those that play any."""
    return [_probe(name, base, entry, workspace) for name, (base, entry) in workspace.agents(protocol.name).items()]


def _probe(name: str, base: Path, entry: AgentEntry, workspace: Workspace) -> NamedAgent:
    """Determine whether a named agent can run, without building it."""
    path = base / entry.agent
    language = languages.of_extension(path.suffix, workspace)
    if path.is_file() and language:
        missing = [tool.replace("|", " or ") for tool in language.tools if not languages.find_tool(tool)]
        shown, problem = language.name, f"{', '.join(missing)} not installed" if missing else ""
    else:
        try:
            shown, problem = resolve_agent(str(path) if path.exists() else entry.agent, None, workspace).language, ""
        except UserError as error:
            shown, problem = "", str(error).splitlines()[0]
    return NamedAgent(name=name, about=entry.about, language=shown, path=str(path), problem=problem)
