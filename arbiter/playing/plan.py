"""A plan of games: the protocol, its options, agents ready to run, and the limits of each.

A plan is resolved: playing it needs no arbiter.toml, no build and no trial of the sandbox. It is also plain data, so it
can be sent to a worker process or to another machine. :mod:`arbiter.playing.planning` makes plans.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from arbiter import registry
from arbiter.agents.clock.charge import Clock
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.sandbox.levels import SandboxChoice
from arbiter.config.limits import Explained, Limits
from arbiter.errors import UserError
from arbiter.game import Json, Lifetime, OptionValue, Protocol
from arbiter.records.stderr_log import LogMode

T = TypeVar("T")


class Entrant(msgspec.Struct, frozen=True):
    """An agent with its lifetime and limits."""

    agent: Agent
    lifetime: Lifetime
    limits: Limits
    explained: tuple[Explained, ...]
    """Where each limit comes from."""
    fingerprint: str
    """A hash of its program."""


class Given(msgspec.Struct, frozen=True):
    """A setup from a file, from which every game starts."""

    setup: Json
    options: dict[str, Any]
    seed: int | None
    """The seed of the game it was taken from."""


class Plan(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Games about to be played, with everything resolved."""

    protocol_name: str
    protocol_version: int
    protocol_folder: str | None
    """Where the protocol is loaded from; None for an installed one."""
    options: dict[str, OptionValue]
    """All options of the protocol, defaults included."""
    entrants: tuple[Entrant, ...]
    given: Given | None
    """None: the setup of each game follows from its seed."""
    save: Path
    """Folder for the records."""
    clock: Clock
    sandbox: SandboxChoice
    ponder: bool
    visible: tuple[str, ...]
    """Paths that all agents may read from inside their sandbox."""
    private: tuple[str, ...] = ()
    """Folders that no agent may read, such as that of saved games."""
    log: LogMode = "tail"
    """What is kept of standard error."""
    keep_files: str | None = None
    """Folder for copies of what agents write to their own folders; None keeps nothing."""
    notes: tuple[str, ...] = ()
    """Notes for the user, to be shown before the first game."""

    @cached_property
    def protocol(self) -> Protocol:
        """The protocol, loaded on first use. Raises UserError if it is not installed here in that version."""
        folder = Path(self.protocol_folder) if self.protocol_folder else None
        found = registry.load_protocol(self.protocol_name, folder)
        if found is None:
            raise UserError(f"protocol {self.protocol_name!r} is not installed here")
        if found.version != self.protocol_version:
            raise UserError(
                f"protocol {self.protocol_name!r}: version {found.version} is installed here, but the plan was made for "
                f"version {self.protocol_version}"
            )
        return found

    @property
    def setup(self) -> Json:
        """The given setup, or None."""
        return self.given.setup if self.given else None


def encode_plan(value: msgspec.Struct) -> bytes:
    """Encode a plan, or a struct that contains one, as one line of JSON.

    msgspec.json cannot be used: it refuses strings that are not valid UTF-8, as file names may be.
    """
    import json  # here, since only contests need it and the import takes longer than planning a game

    return json.dumps(msgspec.to_builtins(value, enc_hook=_path_to_text)).encode()


def decode_plan(data: bytes, kind: type[T]) -> T:
    """Decode what :func:`encode_plan` returned. Raises ValueError, of which msgspec.ValidationError is one."""
    import json

    return msgspec.convert(json.loads(data), kind, dec_hook=_text_to_path)


def _path_to_text(value: object) -> str:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"a plan cannot contain a {type(value).__name__}")


def _text_to_path(kind: type, value: object) -> object:
    if kind is object:  # any value, such as that of a limit as its author wrote it
        return value
    if issubclass(kind, Path):
        return Path(str(value))
    raise NotImplementedError(f"a plan cannot contain a {kind.__name__}")
