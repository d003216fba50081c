"""An agent as the rest of the arbiter knows it: a name, a command, and the settings it runs with, which are checked here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from arbiter.agents.prepare.build import Build
from arbiter.config.limits import Source
from arbiter.errors import UserError, out_of_range, unknown
from arbiter.game import Lifetime

LIFETIMES: tuple[Lifetime, ...] = ("move", "game")
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

    def shares_folder(self, others: Iterable[Agent]) -> bool:
        """Whether it is a single file in a folder that another one is in: then a file next to it may be the other's."""
        return not self.is_packed and any(
            other.origin not in (None, self.origin)
            and not other.is_packed
            and os.path.realpath(other.folder) == os.path.realpath(self.folder)
            for other in others
        )


def clean_name(name: str) -> str:
    """Return a name fit for tables: control characters replaced, whitespace collapsed, cut to 40 characters."""
    shown = "".join(letter if letter.isprintable() else "�" for letter in name)
    return " ".join(shown.split())[:40] or "agent"


def needs_network(agent: Agent) -> str:
    """Say that a remote agent cannot play here."""
    return f"{agent.source!r} plays over the network: 'arbiter play' and 'arbiter arena' run such games"


def parse_lifetime(text: str, where: str) -> Lifetime | None:
    """Return the lifetime of that name; None for an empty string. Raises UserError."""
    for lifetime in LIFETIMES:
        if text == lifetime:
            return lifetime
    if text:
        raise unknown("lifetime", text, LIFETIMES, where=where)
    return None


def check_threads(count: int, where: str) -> int:
    """Return the number of threads. Raises UserError if it is not at least 1."""
    if count < 1:
        raise out_of_range(f"{where}: threads" if where else "threads", count, 1)
    return count


def check_environment(environment: Mapping[str, str], where: str) -> None:
    """Raise UserError for an environment variable that exec would refuse in the middle of a game."""
    for name, value in environment.items():
        if not name or "=" in name or "\0" in name + value:
            raise UserError(
                f"{where}{': ' if where else ''}environment {name!r}: {value!r} cannot be set: a name must not be empty "
                "or contain '=', and neither may contain a null character"
            )


def with_distinct_names(found: Sequence[Agent], texts: Sequence[str]) -> list[Agent]:
    """Rename agents that share a name: ``bot.py`` and ``bot.js``, ``greedy`` and ``greedy-2``.

    ``texts`` are what the user typed for them, in the same order.
    """
    agents = [_with_extension(agent, texts) for agent in found]
    taken: set[str] = set()
    for index, agent in enumerate(agents):
        name, count = agent.name, 1
        while name in taken:
            count += 1
            name = f"{agent.name}-{count}"
        taken.add(name)
        agents[index] = msgspec.structs.replace(agent, name=name)
    return agents


def _with_extension(agent: Agent, texts: Sequence[str]) -> Agent:
    """Name an agent after its file with the extension, if another file differs from it in the extension only."""
    file = Path(agent.source)
    if agent.name != file.stem or not any(
        Path(text).stem == file.stem and Path(text).suffix != file.suffix for text in texts
    ):
        return agent
    return msgspec.structs.replace(agent, name=clean_name(file.name))
