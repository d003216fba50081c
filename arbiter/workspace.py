"""The settings in force: the nearest ``arbiter.toml``, then the one that is bundled with the arbiter.

The nearest file is the first one found in the current folder and its parents. Names it does not define are looked up in the
bundled file, which names the sample agents, so ``arbiter play splendor greedy random`` works in the checkout, in any other
folder, and from an installed wheel.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from arbiter.errors import UserError

FILE = "arbiter.toml"


class AgentEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An agent in arbiter.toml, written as a table; a plain string is short for its ``agent`` field."""

    agent: str
    """What a user would type on the command line; paths are relative to the folder of arbiter.toml."""
    lifetime: str = ""
    limits: dict[str, str | int] = {}
    environment: dict[str, str] = {}
    threads: int = 0
    """Threads that compute at the same time; 0 for the value in its agent.yaml."""
    about: str = ""


class LanguageEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language that arbiter.toml adds to the built-in table, or replaces there."""

    extensions: list[str]
    run: list[str]
    build: list[str] = []
    reads: list[str] = []


class ProtocolEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings in arbiter.toml for one protocol."""

    agents: dict[str, str | AgentEntry] = {}
    limits: dict[str, str | int] = {}
    options: dict[str, str | int | float | bool] = {}
    folder: str = ""
    """The folder of a protocol that is not installed."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    agents: dict[str, str | AgentEntry] = {}
    protocols: dict[str, ProtocolEntry] = {}
    languages: dict[str, LanguageEntry] = {}


def bundled() -> Path:
    """Return the folder with the bundled sample agents, saved games and default arbiter.toml."""
    package = Path(__file__).resolve().parent
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
        self.settings = _load(self.file) if self.file else Settings()

    @cached_property
    def sources(self) -> list[tuple[Path, Settings]]:
        """The settings to look names up in, each with its folder: this workspace, then the bundled file."""
        base = bundled()
        own = [(self.folder, self.settings)] if self.file else []
        if (base / FILE).is_file() and base != self.folder:
            own.append((base, _load(base / FILE)))
        return own

    def agents(self, protocol: str | None) -> dict[str, tuple[Path, AgentEntry]]:
        """Return the named agents that may play a protocol, each with the folder its path is relative to."""
        known: dict[str, tuple[Path, AgentEntry]] = {}
        for folder, settings in self.sources:
            own = settings.protocols[protocol].agents if protocol in settings.protocols else {}
            for name, entry in (*own.items(), *settings.agents.items()):
                full = entry if isinstance(entry, AgentEntry) else AgentEntry(agent=entry)
                known.setdefault(name, (folder, full))
        return known

    def protocol(self, name: str) -> ProtocolEntry:
        """Return the settings for a protocol in this workspace's own file."""
        return self.settings.protocols.get(name, ProtocolEntry())

    def protocol_folders(self) -> Mapping[str, Path]:
        """Return the folders of protocols that arbiter.toml names, by protocol."""
        return {
            name: folder / entry.folder
            for folder, settings in reversed(self.sources)
            for name, entry in settings.protocols.items()
            if entry.folder
        }

    @property
    def games(self) -> Path:
        """The folder where games are saved by default."""
        return self.folder / self.settings.games


def _load(path: Path) -> Settings:
    try:
        data: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"{path}: {error}") from None
    try:
        return msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        raise UserError(f"{path}: {error}") from None
