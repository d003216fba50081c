"""What an answer is ruled to be, a move or a fault, and parsers for the forms of answers that most games use."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import ClassVar

import msgspec

from arbiter.game.text import quoted


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


_BLANKS = " \t\r\n\v\f"
_MOST_DIGITS = 18
"""Every number of this length is exact in every language, and no game needs a longer one."""


def words_of(answer: str) -> list[str]:
    """Split an answer at whitespace. Raises GarbledMove if nothing is left."""
    words = answer.strip(_BLANKS).split()
    if not words:
        raise GarbledMove("the answer is empty")
    return words


def numbers_of(answer: str, count: int | None = None) -> list[int]:
    """Return the whole numbers that an answer consists of. Raises GarbledMove for anything else, or unless there are ``count``.

    A sign and leading zeros are allowed: ``+3``, ``-1``, ``007``.
    """
    words = words_of(answer)
    for word in words:
        digits = word[1:] if word[0] in "+-" else word
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS):
            raise GarbledMove(f"{quoted(word)} must be a whole number")
    if count is not None and len(words) != count:
        expected = "one whole number" if count == 1 else f"{count} whole numbers"
        raise GarbledMove(f"{quoted(answer.strip(_BLANKS))}: the answer must be {expected}")
    return [int(word) for word in words]


def word_of(answer: str, choices: Collection[str]) -> str:
    """Return the choice that an answer consists of, ignoring case. Raises GarbledMove."""
    word = answer.strip(_BLANKS)
    for choice in choices:
        if word.isascii() and word.lower() == choice.lower():
            return choice
    raise GarbledMove(f"{quoted(word)}: the answer must be one of {', '.join(choices)}")
