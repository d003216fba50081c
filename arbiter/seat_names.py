"""Names agents in what people read about a game: ``greedy (player 1)`` instead of ``seat 0``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from arbiter.errors import UserError
from arbiter.game import Display, Game, Protocol
from arbiter.text import cut, safe

LONGEST_NAME = 24
"""The most terminal columns for the name of an agent; longer names are cut."""


def seat_label(protocol: Protocol, seat: int) -> str:
    """Return what a protocol calls a seat: ``seat 0``, ``player 1``."""
    return f"{protocol.seat_word} {protocol.first_seat + seat}"


def seat_index(protocol: Protocol, number: int, seats: int) -> int:
    """Return the seat, from 0, that has this number in the protocol, in a game of ``seats`` seats. Raises UserError."""
    first, last = protocol.first_seat, protocol.first_seat + seats - 1
    if not first <= number <= last:
        choices = f"choose from {first} to {last}" if seats > 1 else f"there is only {seat_label(protocol, 0)}"
        raise UserError(f"no {protocol.seat_word} {number} in this game; {choices}")
    return number - first


class SeatNames:
    """The agents of one game by seat, for boards and sentences."""

    def __init__(self, protocol: Protocol, names: Sequence[str]) -> None:
        self.short = tuple(cut(safe(name), LONGEST_NAME) for name in names)
        """By seat: ``greedy``."""
        self.full = tuple(f"{name} ({seat_label(protocol, seat)})" for seat, name in enumerate(self.short))
        """By seat: ``greedy (player 1)``."""
        self._first = {"seat": 0, protocol.seat_word: protocol.first_seat}
        words = "|".join(re.escape(word) for word in self._first)
        numbers = r"\d+(?:, \d+)* and \d+"
        self._seat = re.compile(rf"\b(?:({words})(?:e?s) ({numbers})|({words}) (\d+))\b", re.IGNORECASE)

    def display(self, game: Game) -> Display[Any]:
        """Return the game as people see it, with these names on its boards."""
        return game.display(self.full)

    def in_words(self, text: str) -> str:
        """Replace seats in a sentence of the protocol (``seat 0``, ``hero 3``, ``seats 0 and 1``) with agents."""
        return self._seat.sub(self._named, text)

    def _named(self, found: re.Match[str]) -> str:
        word, numbers = (found[1] or found[3]).lower(), found[2] or found[4]
        seats = [int(number) - self._first[word] for number in re.findall(r"\d+", numbers)]
        if not all(0 <= seat < len(self.full) for seat in seats):
            return found[0]
        *others, last = (self.full[seat] for seat in seats)
        return f"{', '.join(others)} and {last}" if others else last
