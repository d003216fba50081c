"""Heroes as people see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arbiter.game import Display

from . import words
from .board import board
from .game import HeroesGame
from .maps import HEROES
from .rules import COMPASS, STAY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Json

_KEYS: Final = {"n": "North", "s": "South", "e": "East", "w": "West", ".": STAY}
"""What a person may type for a direction."""


class HeroesDisplay(Display[HeroesGame]):
    """Nothing is hidden."""

    def board(self, seat: int | None = None) -> str:
        return board(self.game.position, seat, [self.who(place) for place in range(len(HEROES))])

    def view_for(self, seat: int) -> Json:
        return self.game.view()

    def legal(self, seat: int) -> Sequence[str]:
        return (*COMPASS, STAY)

    def describe(self, seat: int, move: str) -> str:
        return words.describe(self.game.position, seat, move)

    def typed(self, seat: int, text: str) -> str:
        return _KEYS.get(text.lower(), text)

    def numbers(self) -> Mapping[str, int]:
        """Count rounds from 1, and plies from 0 like ``turn`` in the state, including those of disconnected heroes."""
        ply = self.game.position.ply
        return {"round": ply // len(HEROES) + 1, "ply": ply}

    def scores_so_far(self) -> Sequence[float]:
        return tuple(hero.gold for hero in self.game.position.heroes)

    def events(self) -> Sequence[str]:
        return [words.in_words(event) for event in self.game.position.log]
