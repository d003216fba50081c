"""An agent as the rest of the arbiter knows it: a name, a command, and the settings it runs with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from arbiter.agents.prepare.build import Build
from arbiter.config.limits import Source
from arbiter.game import Lifetime

HUMAN = "human"
REMOTE = "remote"
"""The language of an agent that plays over the network; ``remote:TEAM`` is how users write one."""
ABSENT = "absent"
"""The language of an agent that nobody plays for."""


class Agent(msgspec.Struct, frozen=True):
    """A competitor's program, ready to run."""

    name: str
    source: str
    """What the user typed."""
    command: tuple[str, ...]
    """Empty for an agent that no process of this machine plays."""
    folder: Path
    """The folder of the program, where it runs."""
    language: str = ""
    lifetime: Lifetime | None = None
    """None for the protocol's default."""
    environment: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Environment variables set for this agent."""
    limits: tuple[Source, ...] = ()
    version: str = ""
    """What its version depends on besides its files: the values of its parameters."""
    threads: int = 1
    """Threads that compute at the same time."""
    origin: Path | None = None
    """The file or folder it was made from; None for a command line."""
    is_packed: bool = False
    """Whether the agent is a folder, whose author wrote the command. Determined once: an agent may close its folder later."""
    build: Build | None = None
    """How it is built; None if it needs no build. Until it is built, the program in its command does not exist."""

    @property
    def is_human(self) -> bool:
        """Whether a person at the terminal plays this agent."""
        return self.language == HUMAN and self.is_outside

    @property
    def is_remote(self) -> bool:
        """Whether a program on another machine plays it."""
        return self.language == REMOTE and self.is_outside

    @property
    def is_absent(self) -> bool:
        """Whether nobody plays for it, so that it loses its moves."""
        return self.language == ABSENT and self.is_outside

    @property
    def is_outside(self) -> bool:
        """Whether no process of this machine plays it: a human, a remote agent, or nobody."""
        return not self.command and self.build is None


def clean_name(name: str) -> str:
    """Return a name fit for tables: control characters replaced, whitespace collapsed, cut to 40 characters."""
    shown = "".join(letter if letter.isprintable() else "�" for letter in name)
    return " ".join(shown.split())[:40] or "agent"


def needs_network(agent: Agent) -> str:
    """Say that a remote agent cannot play here."""
    return f"{agent.source!r} plays over the network: 'arbiter play' and 'arbiter arena' run such games"
