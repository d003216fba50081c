"""A game of Heroes in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arbiter.game import FaultKind, Game, Move

from .finish import outcome
from .maps import HEROES
from .rules import COMPASS, STAY, play_ply
from .state import Event, What, begin
from .wire import DISCONNECT, StateWriter, addresses_of, direction_of, local_addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from arbiter.game import Fault, Json, Result

    from .setup import Opening

_MISREAD: Final = (FaultKind.GARBLED, FaultKind.ILLEGAL)
"""Faults of an agent that did answer."""
_KEYS: Final = {"n": "North", "s": "South", "e": "East", "w": "West", ".": STAY}
"""What a person may type for a direction."""


class HeroesGame(Game):
    """The heroes move in order, one at a time; nothing is random once the map is generated.

    The plies of disconnected heroes are played right after those of the others, within the same turn.
    """

    def __init__(self, opening: Opening, rounds: int) -> None:
        self.position = begin(opening, rounds)
        self._opening = opening
        self.see_names([f"hero {hero}" for hero in HEROES])
        self._addresses = [local_addresses(opening.game_id, hero) for hero in HEROES]
        self._result: Result | None = None
        self.after_ply: Callable[[], None] | None = None
        """Called after every ply, also of disconnected heroes, for spectators that need them all."""
        self._play_disconnected()
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
        hero = position.mover
        move = moves[hero.number - 1]
        position.log.clear()
        if move == DISCONNECT:
            hero.connected = False
            position.log.append(Event(What.DISCONNECTION, hero.number))
            move = STAY
        self._ply(move)
        self._play_disconnected()

    def _ply(self, move: str) -> None:
        play_ply(self.position, move)
        if self.after_ply:
            self.after_ply()

    def _play_disconnected(self) -> None:
        position = self.position
        while not position.over and not position.mover.connected:
            self._ply(STAY)
        if position.over:
            self._result = outcome(position)

    def result(self) -> Result | None:
        return self._result

    def final_message(self, seat: int) -> str:
        return self.prompt(seat)

    def numbers(self) -> Mapping[str, int]:
        """Count rounds from 1, and plies from 0 like ``turn`` in the state, including those of disconnected heroes."""
        ply = self.position.ply
        return {"round": ply // len(HEROES) + 1, "ply": ply}

    def scores_so_far(self) -> Sequence[float]:
        return tuple(hero.gold for hero in self.position.heroes)

    def view(self) -> Json:
        from .view import view

        return view(self.position)

    def view_for(self, seat: int) -> Json:
        return self.view()  # nothing is hidden

    def legal(self, seat: int) -> Sequence[str]:
        return (*COMPASS, STAY)

    def board(self, seat: int | None = None) -> str:
        from .board import board

        return board(self.position, seat, [self.who(place) for place in range(len(HEROES))])

    def describe(self, seat: int, move: str) -> str:
        from .words import describe

        return describe(self.position, seat, move)

    def typed(self, seat: int, text: str) -> str:
        return _KEYS.get(text.lower(), text)

    def events(self) -> Sequence[str]:
        from .words import in_words

        return [in_words(event) for event in self.position.log]


def state_json(game: HeroesGame, seat: int, token: str, view_url: str, play_url: str) -> str:
    """Return the state for a web client of this seat, at any time, including after the end of the game."""
    return game.writer.state(seat, addresses_of(token, view_url, play_url))
