"""The saved games of a contest's own arbiter, which a protocol can offer to read and write."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from arbiter.game.results import Json

if TYPE_CHECKING:
    from arbiter.game.interface import Game


class ExternalMove(msgspec.Struct, frozen=True):
    """One move of one seat."""

    seat: int
    move: str
    """In canonical text; ignored after a fault, since the rules then prescribe the move."""
    fault: str = ""
    """Why the agent's answer was not played; empty if it was."""
    kibitz: tuple[str, ...] = ()


class ExternalGame(msgspec.Struct, frozen=True):
    """A game as it was played elsewhere."""

    names: tuple[str, ...]
    """By seat."""
    setup: Json
    turns: tuple[tuple[ExternalMove, ...], ...]
    """The moves of each turn; one move unless seats move at the same time."""
    options: Mapping[str, object] = msgspec.field(default_factory=dict)
    """Options of the protocol that are not at their defaults; checked when the game is imported."""
    scores: tuple[float, ...] = ()
    """The final scores in the file, by seat, to be compared with those of our rules; empty if the file has none."""


class ExternalGameFormat(ABC):
    """The file format of a contest's own arbiter."""

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Return whether this is such a file, without parsing all of it."""

    @abstractmethod
    def read(self, text: str) -> ExternalGame:
        """Parse a file. Raises BadSetup with the reason."""

    @abstractmethod
    def write(self, game: Game, saved: ExternalGame) -> str:
        """Return the text of a file. ``game`` is at its start; play the moves of ``saved`` on it as needed."""
