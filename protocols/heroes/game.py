"""A game of Heroes in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arbiter.game import FaultKind, Game, Move

from .finish import outcome
from .maps import HEROES
from .rules import DISCONNECT, STAY, play_disconnected, play_turn
from .state import begin
from .wire import StateWriter, direction_of, local_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from arbiter.game import Fault, Json, Result

    from .display import HeroesDisplay
    from .setup import Opening

_MISREAD: Final = (FaultKind.GARBLED, FaultKind.ILLEGAL)
"""Faults of an agent that did answer."""


class HeroesGame(Game):
    """The heroes move in order, one at a time; nothing is random once the map is generated.

    The plies of disconnected heroes are played right after those of the others, within the same turn.
    """

    def __init__(self, opening: Opening, rounds: int) -> None:
        self.position = begin(opening, rounds)
        self._opening = opening
        self.see_names([f"hero {hero}" for hero in HEROES])
        self._addresses = [local_addresses(opening.game_id, hero) for hero in HEROES]
        self.after_ply: Callable[[], None] = _nobody_watches
        """Called after every ply, also of disconnected heroes, for spectators that need them all."""
        play_disconnected(self.position, self.after_ply)
        self.position.log.clear()

    def see_names(self, names: Sequence[str]) -> None:
        self.writer = StateWriter(self.position, self._opening.game_id, self._opening.names or names)

    def to_move(self) -> Sequence[int]:
        position = self.position
        return () if position.over else (position.ply % len(HEROES),)

    def prompt(self, seat: int) -> str:
        return self.writer.state(seat, self._addresses[seat]) + "\n"

    def read(self, seat: int, answer: str) -> Move:
        return Move(direction_of(answer))

    def fallback(self, seat: int, fault: Fault) -> str:
        return STAY if fault.kind in _MISREAD else DISCONNECT

    def play(self, moves: Mapping[int, str]) -> None:
        position = self.position
        play_turn(position, moves[position.mover.number - 1], self.after_ply)

    def result(self) -> Result | None:
        return outcome(self.position) if self.position.over else None

    def final_message(self, seat: int) -> str:
        return self.prompt(seat)

    def view(self) -> Json:
        from .view import view

        return view(self.position)

    def display(self, names: Sequence[str] = ()) -> HeroesDisplay:
        from .display import HeroesDisplay

        return HeroesDisplay(self, names)


def _nobody_watches() -> None:
    pass
