"""Finds a turn of a saved game by any of its numbers: the arbiter's own, or those that agents and people use.

The arbiter counts turns from 1: every turn is one request. A protocol may count differently (see
:meth:`arbiter.game.Display.numbers`): some count rounds, and some count plies from 0, including those in which nobody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arbiter.errors import UserError, unknown
from arbiter.game import Protocol
from arbiter.records.reader import Record
from arbiter.records.replay import Replay

TURN = "turn"


@dataclass(frozen=True, slots=True)
class TurnName:
    """A turn as a user names it: ``37``, ``turn:37``, ``round:9``, ``ply:34``."""

    number: int
    word: str = TURN

    def __str__(self) -> str:
        return f"{self.word} {self.number}"


def all_numbers(record: Record, protocol: Protocol) -> list[dict[str, int]]:
    """Return the further numbers of every turn, the first turn first. Raises UserError."""
    replay = Replay(record, protocol)
    return [dict(replay.display.numbers()) for _ in replay]


def find_turn(name: TurnName, record: Record, protocol: Protocol, *, last: bool = False) -> int:
    """Return the arbiter's number of a turn: the first or the last one with the number that was asked for. Raises UserError.

    The arbiter's own number is returned as it is, whether or not there is such a turn.
    """
    if name.word == TURN:
        return name.number
    numbers = all_numbers(record, protocol)
    words = dict.fromkeys([TURN, *(word for each in numbers for word in each)])
    if name.word not in words:
        raise unknown("way of counting", name.word, words, where=protocol.title)
    known = [each[name.word] for each in numbers]
    if name.number in known:
        turns = [turn for turn, number in enumerate(known, 1) if number == name.number]
        return turns[-1 if last else 0]
    raise UserError(_absent(name, known))


def _absent(name: TurnName, known: Sequence[int]) -> str:
    if not min(known) <= name.number <= max(known):
        return f"no {name} in this game; it has {name.word} {min(known)} to {max(known)}"
    later = next(turn for turn, number in enumerate(known, 1) if number > name.number)
    return f"no agent was asked at {name}; the next question is {name.word} {known[later - 1]}, which is turn {later}"


def numbers_in_words(numbers: Mapping[str, int]) -> str:
    """Return ``round 9, ply 34``; empty if a turn has no other numbers."""
    return ", ".join(f"{word} {number}" for word, number in numbers.items())


def with_numbers(turn: int, numbers: Mapping[str, int]) -> str:
    """Return ``turn 35 (round 9, ply 34)``, or ``turn 35``."""
    more = numbers_in_words(numbers)
    return f"turn {turn} ({more})" if more else f"turn {turn}"
