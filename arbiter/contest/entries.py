"""The agents of a contest: expand folders of programs, and separate agents that can play from those that cannot."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare import languages
from arbiter.agents.prepare.agent import ABSENT, HUMAN, REMOTE, Agent, clean_name
from arbiter.agents.prepare.manifest import MANIFEST
from arbiter.agents.prepare.project import project_file
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError, in_field
from arbiter.game import Protocol


def expand_folders(texts: Sequence[str], base: Path, workspace: Workspace) -> list[str]:
    """Replace each folder that is not itself an agent by the agents in it: folders with an agent.yaml or another file that says how they are built, source files in a
    known language, and executables. Raises UserError for a folder without any."""
    return [agent for text in texts for agent in _expand(text, base, workspace)]


def _expand(text: str, base: Path, workspace: Workspace) -> list[str]:
    folder = _path(text, base)
    if not folder.is_dir() or _is_agent(folder):
        return [text]
    try:
        inside = [str(path) for path in _programs(folder, workspace)]
    except OSError as error:
        raise UserError(f"{text}: {error.strerror}") from None
    if not inside:
        raise UserError(f"{text} is a folder without agents: it has no {MANIFEST}, no source file and no executable")
    return inside


def _is_agent(folder: Path) -> bool:
    # Of any type: a mistake is reported when the agent is prepared.
    return os.path.lexists(folder / MANIFEST) or project_file(folder) is not None


def _programs(folder: Path, workspace: Workspace) -> Iterator[Path]:
    known = languages.extensions(workspace)
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "_")):
            continue
        if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for a link to where we may not look
            if _is_agent(path) or not os.access(path, os.R_OK | os.X_OK):  # reported when the agent is prepared
                yield path
        elif path.suffix in known or (os.access(path, os.X_OK) and path.is_file()):
            yield path


def load_agents(
    texts: Sequence[str], protocol: Protocol, base: Path, workspace: Workspace, builder: Builder
) -> tuple[list[tuple[str, Agent]], dict[str, str]]:
    """Expand folders, and prepare and build every agent: those that can play, and the reason for each that cannot.

    One agent that does not build must not keep the others from playing. An agent that does not exist is a mistake of the
    organiser, not of its author, and raises UserError.
    """
    found: list[tuple[str, Agent | None]] = []
    for index, given in enumerate(texts):
        with in_field("agents", index):
            if given.startswith(f"{REMOTE}:"):  # the rest is the name of a team, whatever it contains
                found.append((given, resolve_agent(given, protocol, workspace, base)))
                continue
            if _is_absent(given):
                found.append((given, absent_agent(given, base)))
                continue
            for text in _expand(given, base, workspace):
                exists = text != given or _exists(text, protocol, base, workspace)
                # Agents are built only after the whole list has been checked.
                found.append((text, None if exists else resolve_agent(text, protocol, workspace, base)))
    prepared: list[tuple[str, Agent]] = []
    bad: dict[str, str] = {}
    for text, agent in found:
        try:
            prepared.append((text, agent or resolve_agent(text, protocol, workspace, base)))
        except UserError as error:
            bad[text] = str(error)
    good: list[tuple[str, Agent]] = []
    for text, agent in prepared:
        try:
            good.append((text, builder.build(agent, [other for _, other in prepared if other is not agent])))
        except UserError as error:
            bad[text] = str(error)
    return good, bad


def absent_agent(text: str, base: Path) -> Agent:
    """Return an agent that nobody plays for, in place of one that does not build or has not shown up."""
    name, equals, what = text.partition("=")
    shown = name if equals and name and not set("/ ") & set(name) else Path(what or text).stem
    return Agent(clean_name(shown), text, (), base, ABSENT)


def _is_absent(text: str) -> bool:
    return text.partition("=")[2] == ABSENT


def _exists(text: str, protocol: Protocol, base: Path, workspace: Workspace) -> bool:
    """Whether an agent is a name from arbiter.toml, a file or a folder. Raises UserError for a human."""
    name, equals, what = text.partition("=")
    if not equals or not name or set("/ ") & set(name) or _path(text, base).exists():
        what = text
    if what == HUMAN:
        raise UserError(f"{HUMAN!r} cannot play in a contest, which runs unattended; see 'arbiter play'")
    return what in workspace.agents(protocol.name) or _path(what, base).exists()


def _path(text: str, base: Path) -> Path:
    """The path that ``text`` may be; one that does not exist if it cannot be a path."""
    path = base / os.path.expanduser(text)  # noqa: PTH111 - Path.expanduser raises where ~name is not a user
    try:
        path.exists()
    except (OSError, ValueError):
        text = ""
    return path if text.strip() else base / ".nowhere"
