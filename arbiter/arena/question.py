"""Questions to a seat over the network, and what becomes of the answers that clients send."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from arbiter.errors import UserError

HANDOVER_NS = 5_000_000_000
"""How long a response may take to get into the kernel before the clock starts without it."""


class GameAborted(UserError):
    """Raised in the game's thread when the organiser ends a game; its record ends there."""


class Taken(Enum):
    """What became of an answer that a client sent."""

    ACCEPTED = auto()
    REPEATED = auto()
    """The same answer to the same question came before; it counts once."""
    UNSEEN = auto()
    """The client has not been sent the open question, so it repeats its answer to the one before."""
    NOT_ASKED = auto()
    LATE = auto()
    """The question was ruled on before."""
    OVER = auto()


@dataclass(slots=True)
class RemoteQuestion:
    """A question to this seat."""

    number: int
    """From 1."""
    text: str
    put_ns: int
    limit_ns: int
    start_ns: int = 0
    """When its clock started; 0 until then."""
    seen: bool = False
    """Whether its text was handed to the kernel for a client."""

    @property
    def deadline_ns(self) -> int:
        """When its time is up."""
        return (self.start_ns or self.put_ns + HANDOVER_NS) + self.limit_ns


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that was taken."""

    text: str
    kibitz: Sequence[str]
    received_ns: int
