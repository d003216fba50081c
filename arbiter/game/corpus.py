"""Random play that leads to positions agents rarely see, which a protocol can offer to ``arbiter check``."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

import msgspec

from arbiter.game.interface import Game


class Variant(msgspec.Struct, frozen=True):
    """A way to start games: the number of seats, and the options that are not at their defaults."""

    seats: int
    options: Mapping[str, object] = msgspec.field(default_factory=dict)

    def __str__(self) -> str:
        return ", ".join((f"{self.seats} seats", *(f"{name}={value}" for name, value in self.options.items())))


class Corpus(ABC):
    """Random play in memory, and names for what is unusual in a position."""

    variants: ClassVar[Sequence[Variant]]
    """The default game first; then others that agents must be able to play."""

    @abstractmethod
    def move(self, game: Game, seat: int, rng: random.Random) -> str:
        """Return a random move in canonical text, as :meth:`Game.play` expects it; it may be a fallback."""

    @abstractmethod
    def features(self, game: Game, seat: int) -> Iterable[str]:
        """Name what is unusual in the position of a seat that is to move, such as "an empty deck"."""
