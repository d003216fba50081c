"""The rules of a lobby: who fills empty seats, how long games wait, how many are played at once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arbiter import registry
from arbiter.config.workspace import Workspace


@dataclass(frozen=True, slots=True)
class LobbyRules:
    """The rules of a lobby."""

    queue_protocol: str
    """The protocol for clients that do not name one."""
    house: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By protocol: the agents that fill seats in training games and in the queue."""
    join_s: float = 60
    """How long a game waits for the other teams after the first one has joined."""
    training_games: int = 5
    """How many training games a team may play at the same time."""
    uploads: bool = False
    """Whether teams may upload programs that are run on this machine."""
    local_games: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) // 2))
    """How many official games without remote agents are played at the same time."""


def default_queue(workspace: Workspace) -> str:
    """Return the protocol for clients that do not name one: the first with an API of its own, if any has."""
    names = registry.protocol_names(workspace)
    own = (name for name in names if registry.find_protocol(name, workspace).rest)
    return next(own, next(iter(names)))
