"""The inputs of a table: seats, rules and questions."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from arbiter.agents.clock.charge import Clock
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.config.limits import Limits
from arbiter.game import Lifetime


class Seat(msgspec.Struct, frozen=True):
    """An agent at its seat, and the limits it plays under."""

    launch: Launch
    limits: Limits
    lifetime: Lifetime
    sandbox: Sandbox | None = None
    cores: frozenset[int] | None = None
    """Where it may run; None for the arbiter's own core."""
    stderr_log: Callable[[bytes], None] | None = None
    """Receives everything it prints on standard error; None if no log is kept."""
    label: str = ""
    """What notes call it, such as ``greedy (player 1)``; by default its number."""


class Request(msgspec.Struct, gc=False):
    """A question to a seat."""

    seat: int
    prompt: str
    briefing: Callable[[int], str]
    """Returns the briefing of a seat; called only for a process that has not been sent it yet."""


class TableRules(msgspec.Struct, frozen=True):
    """The rules that apply to all seats of a table."""

    clock: Clock = "fair"
    ponder: bool = True
    """Whether agents may think while it is not their turn."""
    strict_exit: bool = True
    """Whether an exit status other than 0 voids the answer of an agent spawned for the move."""
    spare: tuple[int, ...] = ()
    """Cores that no game runs on, for agents that crowd their opponents while they ponder."""
