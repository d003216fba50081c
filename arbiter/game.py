"""What a game must offer: the interface between a protocol and the arbiter.

A *protocol* describes a game as agents see it: its rules and its wire format. It opens *games*: pure
state, with no input or output, no clock and no randomness of its own. Whoever reads bytes does not know
the rules; whoever knows the rules never sees a file descriptor. Protocols import this module and nothing
else of the arbiter.

One turn, as the referee drives it::

    seats = game.to_move()                        # who must answer now
    text  = game.prompt(seat)                     # what each of them is sent, byte for byte
    move  = game.read(seat, answer)               # the answer in canonical text, or IllegalMove
    move  = Move(game.fallback(seat, fault))      # ... or what the rules prescribe instead
    game.play({seat: move.text, ...})             # one turn forward

Only canonical texts reach :meth:`Game.play`, and only they are recorded, so a saved game is replayed by
feeding its moves and its recorded chance to a fresh game.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Literal, TypeVar

import msgspec

Json = Any
"""Plain data that survives a trip through JSON: dict, list, str, int, float, bool, None."""

OptionValue = bool | int | float | str
Options = Mapping[str, OptionValue]
Lifetime = Literal["move", "game"]

T = TypeVar("T")


class FaultKind(StrEnum):
    """What an agent did wrong."""

    LATE = "late"
    """No complete answer within the time limit."""
    CRASHED = "crashed"
    """Ended with a non-zero exit code or by a signal."""
    SILENT = "silent"
    """Ended properly without answering."""
    CLOSED = "closed"
    """Closed its standard output without answering, and lived on."""
    GARBLED = "garbled"
    """The answer cannot be read as a move at all."""
    ILLEGAL = "illegal"
    """The answer is a move, but the rules forbid it here."""
    FLOODED = "flooded"
    """Wrote more than it may in one turn."""
    MEMORY = "memory"
    """Used more memory than it may."""
    PROCESSES = "processes"
    """Started more processes than it may."""
    NOT_STARTED = "not started"
    """The operating system could not start it."""
    SPENT = "spent"
    """Was started anew too often in this game; it is not asked again."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one agent in one turn, as the rules see it."""

    kind: FaultKind
    detail: str = ""
    """One line in plain English: which rule, which signal, how late."""
    salvage: str = ""
    """The part of an illegal answer that still counts, in canonical text (see :class:`IllegalMove`)."""


class IllegalMove(Exception):
    """Raised by :meth:`Game.read` for an answer the rules refuse; the text names the rule broken."""

    kind: ClassVar[FaultKind] = FaultKind.ILLEGAL

    def __init__(self, reason: str, *, salvage: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.salvage = salvage


class GarbledMove(IllegalMove):
    """An answer that cannot be read as a move at all (words where numbers belong, say)."""

    kind: ClassVar[FaultKind] = FaultKind.GARBLED


class BadSetup(ValueError):
    """A given setup or option value that no game can start from; the text is one line for the user."""


class Move(msgspec.Struct, frozen=True, gc=False):
    """An answer that was understood."""

    text: str
    """Canonical: reading it again gives the same text, whatever blanks or case the agent used."""
    message: str = ""
    """What the agent appended for spectators, where the game allows that."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    ranks: tuple[int, ...]
    """Per seat, 1 is best, equal ranks are shared. If nobody won, no seat has rank 1."""
    scores: tuple[float, ...]
    """Per seat, in the game's own points."""
    reason: str
    """One line: why the game ended."""
    data: Mapping[str, Json] = field(default_factory=dict)
    """More that standings and viewers can use: per-seat lists by name, such as a side quest."""


@dataclass(frozen=True, slots=True)
class Option:
    """One knob of a protocol. Its type is that of its default."""

    name: str
    default: OptionValue
    help: str
    choices: tuple[OptionValue, ...] = ()
    minimum: float | None = None
    maximum: float | None = None

    def check(self, value: object) -> OptionValue:
        """``value`` (a text from a command line, or plain data from a file) as this option's type.

        Raises ValueError with one line that quotes the value and says what would do.
        """
        checked = self._typed(value)
        if self.choices and checked not in self.choices:
            raise self._refusal(value, f"choose from {', '.join(map(str, self.choices))}")
        if not isinstance(checked, bool | str):
            if self.minimum is not None and checked < self.minimum:
                raise self._refusal(value, f"must be at least {self.minimum}")
            if self.maximum is not None and checked > self.maximum:
                raise self._refusal(value, f"must be at most {self.maximum}")
        return checked

    def _typed(self, value: object) -> OptionValue:
        wanted = type(self.default)
        if wanted is bool:
            word = str(value).lower()
            if word in ("true", "yes", "on", "1"):
                return True
            if word in ("false", "no", "off", "0"):
                return False
            raise self._refusal(value, "must be true or false")
        if wanted is str:
            if isinstance(value, str):
                return value
            raise self._refusal(value, "must be a string")
        try:
            if isinstance(value, int | float | str) and not isinstance(value, bool):
                number = wanted(value)
                # Neither infinity nor NaN: JSON has no word for them.
                if math.isfinite(float(number)) and (isinstance(value, str) or number == value):
                    return number
        except (ValueError, OverflowError):
            pass
        raise self._refusal(value, "must be a whole number" if wanted is int else "must be a number")

    def _refusal(self, value: object, advice: str) -> ValueError:
        return ValueError(f"option {self.name}={value!s}: {advice}")


class Chance:
    """The only source of randomness of a game: seeded, and written down as it happens.

    Every draw is one :meth:`below`; its outcome is remembered until :meth:`take` hands the outcomes to the
    record. Given ``recorded`` outcomes the draws come from there instead, and the generator only keeps
    count of those that it would have drawn differently (:attr:`strays`).
    """

    def __init__(self, seed: int, stream: str = "play", recorded: Iterable[int] | None = None) -> None:
        # Python promises the same random() for the same seed in every version; nothing else of it is used.
        self._random = random.Random(f"{stream}:{seed}").random
        self._recorded = None if recorded is None else list(reversed(list(recorded)))
        self._taken: list[int] = []
        self.strays = 0

    def below(self, n: int) -> int:
        """A whole number from 0 to n − 1, each as likely."""
        outcome = int(self._random() * n)
        if self._recorded is not None:
            if not self._recorded:
                raise ValueError(f"the record holds no outcome for a draw below {n}")
            drawn, outcome = outcome, self._recorded.pop()
            if not 0 <= outcome < n:
                raise ValueError(f"the recorded outcome {outcome} is not below {n}")
            self.strays += drawn != outcome
        self._taken.append(outcome)
        return outcome

    def fraction(self) -> float:
        """A number from 0 up to, not including, 1."""
        return self.below(1 << 53) / (1 << 53)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order."""
        pile = list(items)
        for last in range(len(pile) - 1, 0, -1):
            other = self.below(last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return pile

    def take(self) -> list[int]:
        """The outcomes since the last call."""
        if not self._taken:
            return []
        taken, self._taken = self._taken, []
        return taken

    def expect(self, outcomes: Iterable[int]) -> None:
        """Replay these outcomes next; anything left of earlier ones is an error."""
        if self._recorded:
            raise ValueError(f"{len(self._recorded)} recorded outcomes were never drawn")
        self._recorded = list(reversed(list(outcomes)))


class Game(ABC):
    """A game in progress: pure state."""

    strict_exit: bool = True
    """Whether an agent spawned for a move that answers well but exits abnormally has faulted."""

    @abstractmethod
    def to_move(self) -> Sequence[int]:
        """The seats that must answer now: one, or several at once where moves are simultaneous."""

    def briefing(self, seat: int) -> str:
        """Text sent once to a long-lived agent, in the same write as its first prompt; to one spawned
        for each move, before every prompt."""
        return ""

    @abstractmethod
    def prompt(self, seat: int) -> str:
        """Text for this turn, byte for byte what the contest prescribes."""

    @abstractmethod
    def read(self, seat: int, answer: str) -> Move:
        """The answer in canonical text. Raises IllegalMove, and nothing else, for whatever is not one.
        Does not change the game."""

    @abstractmethod
    def fallback(self, seat: int, fault: Fault) -> str:
        """The move, in canonical text, that the rules prescribe instead: a pass, a stay, a defeat."""

    @abstractmethod
    def play(self, moves: Mapping[int, str]) -> None:
        """One turn forward with a canonical text for every seat of :meth:`to_move`. The only method that
        changes the game, and the only one that may draw from chance."""

    @abstractmethod
    def result(self) -> Result | None:
        """None while the game goes on."""

    def farewell(self, seat: int) -> str:
        """Text sent to an agent that is still alive when the game is over; no answer is awaited."""
        return ""

    @abstractmethod
    def view(self) -> Json:
        """The whole position as plain data, for viewers."""

    @abstractmethod
    def board(self, seat: int | None = None) -> str:
        """The position as readable text with terminal colours (see :func:`paint`), as ``seat`` may see
        it, or everything."""

    def describe(self, seat: int, move: str) -> str:
        """A canonical move in words, in the present position ("buys card 17 for 3 blue")."""
        return move

    def see_clocks(self, left_us: Mapping[int, int]) -> None:  # noqa: B027 - most games have no use for it
        """Told before every turn, where agents have a limit on the time for the whole game: what is left of it, in
        microseconds by seat. For games whose prompts show it."""

    def events(self) -> Sequence[str]:
        """What else happened in the last :meth:`play`, in words ("seat 2 dies")."""
        return ()


@dataclass(frozen=True, slots=True)
class Adapter:
    """Runs agents that were written for a contest's own framework and are no programs by themselves."""

    extensions: tuple[str, ...]
    recognises: Callable[[str], bool]
    """Whether a source text is such an agent."""
    run: tuple[str, ...]
    """The command, as in the table of languages: ``{source}`` is the agent's file."""


class Protocol(ABC):
    """A game as agents see it. One instance a protocol, found through the entry-point group
    ``arbiter.protocols`` or a folder named in arbiter.toml; it must be cheap to import and create."""

    name: ClassVar[str]
    """As typed on the command line."""
    title: ClassVar[str]
    """As shown to people."""
    summary: ClassVar[str]
    """One line."""
    version: ClassVar[int] = 1
    """Goes up whenever the rules or the wire format change, so that a record says which it was."""
    seats: ClassVar[tuple[int, int]]
    """Fewest and most."""
    lifetime: ClassVar[Lifetime]
    """How long an agent's process lives unless told otherwise."""
    limits: ClassVar[Mapping[str, str]]
    """Default limits as a user would write them, such as ``{"move": "10s", "memory": "16GB"}``."""
    options: ClassVar[Sequence[Option]] = ()
    on_fault: ClassVar[str]
    """What a fault leads to, in one line."""
    help: ClassVar[str]
    """How a person types a move, in a few lines."""
    adapters: ClassVar[Sequence[Adapter]] = ()
    """For agents that need one; asked before the table of languages."""
    at_once: ClassVar[bool] = False
    """Whether seats are asked at the same time: then agents are placed on different cores where there are enough."""
    secondary: ClassVar[str] = ""
    """The list in :attr:`Result.data`, by seat, that a second ranking goes by, more being better; empty if there is none."""
    keeps_files: ClassVar[bool] = False
    """Whether what an agent writes to its own folder stays there from game to game; else every game finds it fresh."""

    @abstractmethod
    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        """Everything decided before the first turn (decks, map, who starts) as plain data."""

    @abstractmethod
    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        """A game at its beginning. ``chance`` serves what is random later on. Raises BadSetup."""


_CODES = {
    "bold": "1", "dim": "2", "reverse": "7", "black": "30", "red": "31", "green": "32", "yellow": "33", "blue": "34",
    "magenta": "35", "cyan": "36", "white": "37", "grey": "90",
}  # fmt: skip


def paint(text: str, *styles: str) -> str:
    """Text in terminal styles (``paint("gold", "yellow", "bold")``); whoever prints may strip them."""
    return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"
