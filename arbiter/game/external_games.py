"""The saved games of a contest's own arbiter: what a protocol offers to read and to write them."""

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
    """In canonical text; not read if there was a fault, since the rules prescribe the move then."""
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
    """The final scores as the file states them, by seat, to be compared with those of the rules here; empty if it does not."""


class ExternalGameFormat(ABC):
    """The file format of a contest's own arbiter."""

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Whether this is such a file; cheap, and False for anything else."""

    @abstractmethod
    def read(self, text: str) -> ExternalGame:
        """Parse a file. Raises BadSetup with the reason."""

    @abstractmethod
    def write(self, game: Game, saved: ExternalGame) -> str:
        """Return the text of a file. ``game`` is at its start; play the moves of ``saved`` on it as needed."""
