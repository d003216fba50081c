"""What an answer is ruled to be: a move or a fault."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

import msgspec


class FaultKind(StrEnum):
    """What an agent did wrong."""

    LATE = "late"
    """No complete answer within the time limit."""
    CRASHED = "crashed"
    """Ended with a non-zero exit status or by a signal."""
    SILENT = "silent"
    """Exited with status 0 without answering."""
    CLOSED = "closed"
    """Closed its standard output without answering and kept running."""
    GARBLED = "garbled"
    """The answer cannot be parsed as a move."""
    ILLEGAL = "illegal"
    """The answer is a move, but the rules forbid it in this position."""
    FLOODED = "flooded"
    """Wrote more than the output limit of one turn."""
    MEMORY = "memory"
    """Exceeded its memory limit."""
    PROCESSES = "processes"
    """Exceeded its limit on processes."""
    NOT_STARTED = "not started"
    """The operating system could not start it."""
    SPENT = "spent"
    """Used up its restarts in this game; it is not asked again."""
    ABSENT = "absent"
    """Nobody played for it: its team had not joined when the game started, or it was entered as absent."""
    IMPORTED = "imported"
    """Ruled a fault by another arbiter, whose saved game was imported; the detail is its message."""


class Fault(msgspec.Struct, frozen=True):
    """One fault of one agent in one turn, as the rules see it."""

    kind: FaultKind
    detail: str = ""
    """One line in plain English: which rule, which signal, how late."""
    salvage: str = ""
    """The part of an illegal answer that still counts, in canonical text (see :class:`IllegalMove`)."""


class IllegalMove(Exception):
    """Raised by :meth:`Game.read` for an answer that the rules refuse; the reason names the rule broken."""

    kind: ClassVar[FaultKind] = FaultKind.ILLEGAL

    def __init__(self, reason: str, *, salvage: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.salvage = salvage


class GarbledMove(IllegalMove):
    """An answer that cannot be parsed as a move, such as words where numbers are expected."""

    kind: ClassVar[FaultKind] = FaultKind.GARBLED


class Move(msgspec.Struct, frozen=True, gc=False):
    """A legal answer."""

    text: str
    """Canonical: reading it again gives the same text, whatever spaces or case the agent used."""
    message: str = ""
    """What the agent appended for spectators, where the protocol allows that."""
