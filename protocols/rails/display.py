"""Rails as people see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Display

from . import board, words
from .game import RailsGame
from .state import SEATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arbiter.game import Json


class RailsDisplay(Display[RailsGame]):
    """Nothing is hidden."""

    def board(self, seat: int | None = None) -> str:
        return board.draw(self.game.state, [self.who(place) for place in SEATS])

    def view_for(self, seat: int) -> Json:
        return self.game.view()

    def describe(self, seat: int, move: str) -> str:
        return words.describe(self.game.state, move)

    def scores_so_far(self) -> Sequence[float]:
        return tuple(self.game.state.scores)

    def events(self) -> Sequence[str]:
        return words.events(self.game.state)
