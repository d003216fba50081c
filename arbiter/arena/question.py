"""Questions to a seat over the network, and the outcomes of submitted answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from arbiter.errors import UserError
from arbiter.records.format import FaultInfo

DELIVERY_NS = 5_000_000_000
"""How long a question may wait to be written to the socket before its clock starts anyway."""


class GameAborted(UserError):
    """Raised in the game's thread when a game is aborted; its record ends there."""


class Submitted(Enum):
    """The outcome of submitting an answer."""

    ACCEPTED = auto()
    REPEATED = auto()
    """The same answer to the same question was received before; it counts once."""
    UNSEEN = auto()
    """The open question has not been sent to the client, so this repeats its answer to the previous one."""
    NOT_ASKED = auto()
    LATE = auto()
    """The question has been ruled late already."""
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
    fault: FaultInfo | None = None
    """The ruling on the answer before, if it was a fault."""
    seen: bool = False
    """Whether its text has been written to a client's socket."""

    @property
    def deadline_ns(self) -> int:
        """When its time is up."""
        return (self.start_ns or self.put_ns + DELIVERY_NS) + self.limit_ns


@dataclass(frozen=True, slots=True)
class Reply:
    """An accepted answer."""

    text: str
    kibitz: Sequence[str]
    received_ns: int
