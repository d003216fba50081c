"""How an arena runs its games."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rules:
    """How the arena runs its games."""

    house: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By protocol: the agents that fill seats in training and in the queue."""
    join_s: float = 60
    """How long a game waits for the others after the first team has joined."""
    training_games: int = 5
    """Training games that a team may play at the same time."""
    queue_protocol: str = "heroes"
    """The protocol of clients that do not name one."""
    uploads: bool = False
    """Whether teams may upload programs that are run here."""
    local_games: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) // 2))
    """Official games between programs of this machine that are played at the same time."""
