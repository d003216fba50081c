"""Where we are: the nearest ``arbiter.toml``, and what comes with the installation.

The file is looked for in the current folder and upwards. What it does not say is taken from the one that
comes with the arbiter, which names the sample agents; so ``arbiter play splendor greedy random`` works in the
checkout, in any other folder, and from an installed wheel.
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
    """An agent named in arbiter.toml: a text (its path or command), or this table."""

    agent: str
    """What one would type on the command line; relative to the folder of arbiter.toml."""
    lifetime: str = ""
    limits: dict[str, str | int] = {}
    environment: dict[str, str] = {}
    threads: int = 0
    """How many of it think at the same time; 0: as its agent.yaml has it."""
    about: str = ""


class LanguageEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language added to, or put in place of one in, the table."""

    extensions: list[str]
    run: list[str]
    build: list[str] = []
    reads: list[str] = []


class ProtocolEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What arbiter.toml says about one protocol."""

    agents: dict[str, str | AgentEntry] = {}
    limits: dict[str, str | int] = {}
    options: dict[str, str | int | float | bool] = {}
    folder: str = ""
    """Where a protocol that is not installed lives."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of an arbiter.toml."""

    games: str = "matches/games"
    """Where saved games go."""
    clock: str = "fair"
    """What an agent is charged: fair, wall or cpu time."""
    sandbox: str = "auto"
    """The least level at which agents are contained."""
    visible: list[str] = []
    """Paths that all agents may read from inside their sandbox, besides their own and the system's."""
    ponder: bool = True
    """Whether agents may think while it is not their turn."""
    limits: dict[str, str | int] = {}
    agents: dict[str, str | AgentEntry] = {}
    protocols: dict[str, ProtocolEntry] = {}
    languages: dict[str, LanguageEntry] = {}


def bundled() -> Path:
    """The folder of sample agents, saved games and the default arbiter.toml that come with us."""
    package = Path(__file__).resolve().parent
    checkout = package.parent
    return checkout if (checkout / "sample_agents").is_dir() and (checkout / FILE).is_file() else package / "bundled"


class Workspace:
    """The settings in force in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        try:
            start = (folder or Path.cwd()).resolve()
        except FileNotFoundError:
            raise UserError("the current folder is gone: change to another one") from None
        # Not Path.is_file, which raises for a folder that may not be looked into.
        found = next((place for place in (start, *start.parents) if os.path.isfile(place / FILE)), None)  # noqa: PTH113
        self.folder = found or start
        """Saved games and relative paths are relative to this folder."""
        self.file = found / FILE if found else None
        self.settings = _load(self.file) if self.file else Settings()

    @cached_property
    def sources(self) -> list[tuple[Path, Settings]]:
        """Where to look names up: this workspace, then what comes with the arbiter."""
        base = bundled()
        own = [(self.folder, self.settings)] if self.file else []
        if (base / FILE).is_file() and base != self.folder:
            own.append((base, _load(base / FILE)))
        return own

    def agents(self, protocol: str | None) -> dict[str, tuple[Path, AgentEntry]]:
        """Named agents that may play a protocol, each with the folder its path is relative to."""
        known: dict[str, tuple[Path, AgentEntry]] = {}
        for folder, settings in self.sources:
            own = settings.protocols[protocol].agents if protocol in settings.protocols else {}
            for name, entry in (*own.items(), *settings.agents.items()):
                full = entry if isinstance(entry, AgentEntry) else AgentEntry(agent=entry)
                known.setdefault(name, (folder, full))
        return known

    def protocol(self, name: str) -> ProtocolEntry:
        """What this workspace's own file says about a protocol."""
        return self.settings.protocols.get(name, ProtocolEntry())

    def protocol_folders(self) -> Mapping[str, Path]:
        """Protocols that live in folders named in arbiter.toml."""
        return {
            name: folder / entry.folder
            for folder, settings in reversed(self.sources)
            for name, entry in settings.protocols.items()
            if entry.folder
        }

    @property
    def games(self) -> Path:
        """Where saved games go by default."""
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
