"""The workspace: the settings of the nearest ``arbiter.toml``, then of the one that is bundled with the arbiter.

The nearest file is the first one found in the current folder and its parents. Names it does not define are looked up in the
bundled file, which names the sample agents, so ``arbiter play splendor greedy random`` works in the checkout, in any other
folder, and from an installed wheel.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import get_args

import msgspec

from arbiter.config.limits import check_fields
from arbiter.config.plain_data import read_struct
from arbiter.config.toml_file import TomlFile
from arbiter.errors import FieldError, LocatedError, UserError, out_of_range, unknown, wrong_value
from arbiter.game import Lifetime

FILE = "arbiter.toml"


class AgentEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An agent in arbiter.toml, written as a table; a plain string is short for its ``agent`` field."""

    agent: str
    """What a user would type on the command line; paths are relative to the folder of arbiter.toml."""
    lifetime: str = ""
    """How long its process lives: move or game."""
    limits: dict[str, str | int] = {}
    """Limits by name, such as ``move = '2s'``."""
    environment: dict[str, str] = {}
    """Environment variables."""
    threads: int = 0
    """Threads that compute at the same time; 0 for the value in its agent.yaml."""
    about: str = ""
    """A sentence for lists of agents."""


class LanguageEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language that arbiter.toml adds to the built-in table, or replaces there."""

    extensions: list[str]
    """Extensions of its source files, such as ``.cr``."""
    run: list[str]
    """The command that runs a program, as words; ``{source}`` and ``{program}`` stand for the files."""
    build: list[str] = []
    """The command that compiles a source file, as words; empty if there is none."""
    reads: list[str] = []
    """Further paths that its tools read in the sandbox."""


class ProtocolEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings in arbiter.toml for one protocol."""

    agents: dict[str, str | AgentEntry] = {}
    """Named agents of this protocol."""
    limits: dict[str, str | int] = {}
    """Limits for all its agents, by name."""
    options: dict[str, str | int | float | bool] = {}
    """Values of its options."""
    folder: str = ""
    """The folder of a protocol that is not installed."""
    library: bool = False
    """Whether the folder holds many protocols, each found by its own name."""


class WorkspaceSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of an arbiter.toml."""

    games: str = "matches/games"
    """The folder for saved games."""
    clock: str = "fair"
    """The time an agent is charged for: fair, wall or cpu."""
    sandbox: str = "auto"
    """The weakest acceptable sandbox level."""
    visible: list[str] = []
    """Paths that all agents may read in their sandbox, in addition to their own files and the system's."""
    ponder: bool = True
    """Whether agents may think while it is not their turn."""
    limits: dict[str, str | int] = {}
    """Limits for all agents, by name, such as ``memory = '256MB'``."""
    agents: dict[str, str | AgentEntry] = {}
    """Agents that can be named instead of typing a path, in all protocols."""
    protocols: dict[str, ProtocolEntry] = {}
    """Settings by protocol."""
    languages: dict[str, LanguageEntry] = {}
    """Languages that are added or replaced, by name."""


def bundled() -> Path:
    """Return the folder with the bundled sample agents, saved games and default arbiter.toml."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent
    return checkout if (checkout / "sample_agents").is_dir() and (checkout / FILE).is_file() else package / "bundled"


class Workspace:
    """The settings that apply in a folder, by default the current one."""

    def __init__(self, folder: Path | None = None) -> None:
        try:
            start = (folder or Path.cwd()).resolve()
        except FileNotFoundError:
            raise UserError("the current folder no longer exists: change to another one") from None
        # Path.is_file would raise for a folder without read permission.
        found = next((each for each in (start, *start.parents) if os.path.isfile(each / FILE)), None)  # noqa: PTH113
        self.folder = found or start
        """The folder that relative paths in the settings refer to."""
        self.file = found / FILE if found else None
        self.settings = _load(self.file) if self.file else WorkspaceSettings()

    @cached_property
    def sources(self) -> list[tuple[Path, WorkspaceSettings]]:
        """The settings to look names up in, each with its folder: this workspace, then the bundled file."""
        base = bundled()
        own = [(self.folder, self.settings)] if self.file else []
        if (base / FILE).is_file() and base != self.folder:
            own.append((base, _load(base / FILE)))
        return own

    def agents(self, protocol: str | None) -> dict[str, tuple[Path, AgentEntry]]:
        """Return the named agents that may play a protocol, each with the folder its path is relative to. A protocol that no
        arbiter.toml names may be one of a library, and has the agents of all libraries."""
        known: dict[str, tuple[Path, AgentEntry]] = {}
        named = any(protocol in settings.protocols for _, settings in self.sources)
        for folder, settings in self.sources:
            entries = settings.protocols.items()
            own = {
                name: entry
                for key, each in entries
                if key == protocol or (protocol and not named and each.library)
                for name, entry in each.agents.items()
            }
            for name, entry in (*own.items(), *settings.agents.items()):
                full = entry if isinstance(entry, AgentEntry) else AgentEntry(agent=entry)
                known.setdefault(name, (folder, full))
        return known

    def protocol(self, name: str) -> ProtocolEntry:
        """Return the settings for a protocol in this workspace's own file."""
        return self.settings.protocols.get(name, ProtocolEntry())

    def protocol_folders(self) -> Mapping[str, Path]:
        """Return the folders of protocols that arbiter.toml names, by protocol."""
        return self._folders(library=False)

    def library_folders(self) -> Mapping[str, Path]:
        """Return the folders of libraries of protocols that arbiter.toml names, by library."""
        return self._folders(library=True)

    def _folders(self, *, library: bool) -> Mapping[str, Path]:
        return {
            name: folder / entry.folder
            for folder, settings in reversed(self.sources)
            for name, entry in settings.protocols.items()
            if entry.folder and entry.library == library
        }

    @contextlib.contextmanager
    def located_errors(self, *path: str) -> Iterator[None]:
        """Add the file and the line of the setting at ``path`` to a UserError that is raised inside the block."""
        try:
            yield
        except UserError as error:
            if self.file is None:
                raise
            raise TomlFile(self.file).error(error, *path) from None

    @property
    def games(self) -> Path:
        """The folder where games are saved by default."""
        return self.folder / self.settings.games


@contextlib.contextmanager
def located_agent(folder: Path, protocol: str, name: str) -> Iterator[None]:
    """Add the file and the line of an agent's entry in arbiter.toml to a UserError that is raised inside the block, unless
    it already names a file and a line."""
    try:
        yield
    except LocatedError:
        raise
    except UserError as error:
        file = TomlFile(folder / FILE)
        own = name in file.data.get("protocols", {}).get(protocol, {}).get("agents", {})
        path = ("protocols", protocol, "agents", name) if own else ("agents", name)
        raise file.error(f"agent {name!r}: {error}", *path) from None


def _load(path: Path) -> WorkspaceSettings:
    file = TomlFile(path)
    with file.located_errors():
        settings = read_struct(file.data, WorkspaceSettings)
        _check(settings)
    return settings


def _check(settings: WorkspaceSettings) -> None:
    """Raise FieldError for values of the right type that make no sense."""
    check_fields(settings.limits, "limits")
    _check_agents(settings.agents, "agents")
    for name, entry in settings.protocols.items():
        check_fields(entry.limits, "protocols", name, "limits")
        _check_agents(entry.agents, "protocols", name, "agents")
    for name, language in settings.languages.items():
        for key in ("extensions", "run"):
            if not getattr(language, key):
                raise FieldError(wrong_value(key, [], "a list with at least one item"), "languages", name, key)


def _check_agents(agents: Mapping[str, str | AgentEntry], *path: str) -> None:
    for name, entry in agents.items():
        if isinstance(entry, str):
            continue
        check_fields(entry.limits, *path, name, "limits")
        if entry.lifetime and entry.lifetime not in get_args(Lifetime):
            raise FieldError(unknown("lifetime", entry.lifetime, get_args(Lifetime)), *path, name, "lifetime")
        if entry.threads < 0:
            raise FieldError(out_of_range("threads", entry.threads, 1), *path, name, "threads")
