"""Splendor as people see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Display

from . import words
from .board import board
from .game import SplendorGame
from .legal_moves import legal_moves
from .view import view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Json


class SplendorDisplay(Display[SplendorGame]):
    """Hides only the cards that others reserved from a deck."""

    def board(self, seat: int | None = None) -> str:
        position = self.game.position
        return board(position, seat, [self.who(place) for place in range(len(position.players))])

    def view_for(self, seat: int) -> Json:
        return view(self.game.position, self.game.settings.max_rounds, seat)

    def legal(self, seat: int) -> Sequence[str]:
        return legal_moves(self.game, seat)

    def describe(self, seat: int, move: str) -> str:
        return words.describe(self.game.position, seat, move)

    def numbers(self) -> Mapping[str, int]:
        return {"round": self.game.position.round}

    def scores_so_far(self) -> Sequence[float]:
        return tuple(player.points for player in self.game.position.players)

    def events(self) -> Sequence[str]:
        return words.events(self.game.before, self.game.position, self.game.settings.max_rounds)
