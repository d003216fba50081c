"""GameOfDrones as people see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Display

from . import words
from .actions import played
from .board import board
from .game import DronesGame
from .state import SEATS
from .view import view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Json


class DronesDisplay(Display[DronesGame]):
    """Hides the units and the moves of the other seat until a clash reveals them."""

    def board(self, seat: int | None = None) -> str:
        return board(self.game.position, self.game.settings, seat, [self.who(place) for place in SEATS])

    def view_for(self, seat: int) -> Json:
        return view(self.game.position, self.game.settings, seat)

    def shows_move(self, seat: int) -> bool:
        return False

    def describe(self, seat: int, move: str) -> str:
        return words.describe(self.game.position.soldiers[seat], played(move))

    def numbers(self) -> Mapping[str, int]:
        return {"round": self.game.position.round}

    def scores_so_far(self) -> Sequence[float]:
        return tuple(self.game.position.wins)

    def events(self) -> Sequence[str]:
        return words.events(self.game.position, self.game.settings)
