"""A match of GameOfDrones in progress: for the arbiter, all its rounds are one game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Game, Move

from . import wire
from .actions import NOTHING, canonical, played
from .answers import action_of
from .finish import outcome
from .state import SEATS, Position
from .turn import play_turn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Chance, Fault, Json, Result

    from .display import DronesDisplay
    from .options import Settings


class DronesGame(Game):
    """Both seats move at once, turn after turn; the only random events are coin tosses."""

    def __init__(self, settings: Settings, chance: Chance) -> None:
        self.settings = settings
        self.position = Position(settings.starting_producers)
        self._chance = chance
        self._result: Result | None = None

    def to_move(self) -> Sequence[int]:
        return () if self.position.over else SEATS

    def briefing(self, seat: int) -> str:
        """Return the messages that precede the coming prompt: the match, and the round if it has started.

        A process that is started in the middle of a match thus sees messages in the usual order.
        """
        position = self.position
        opened = position.round if position.turn > 1 else position.round - 1
        rounds = wire.round_start(self.settings, opened) if opened else ""
        return wire.match_start(self.settings, seat) + rounds

    def prompt(self, seat: int) -> str:
        position = self.position
        request = wire.turn(position.producers[seat], position.soldiers[seat])
        return request if position.turn > 1 else self._news(seat) + request

    def _news(self, seat: int) -> str:
        """Return what a seat is sent between two rounds."""
        clash = self.position.last_clash
        ended = wire.round_end(clash, seat) if clash else ""
        return ended + wire.round_start(self.settings, self.position.round)

    def read(self, seat: int, answer: str) -> Move:
        capacity = self.position.producers[seat]
        return Move(canonical(action_of(answer, capacity, self.settings.fractional_units)))

    def fallback(self, seat: int, fault: Fault) -> str:
        return NOTHING

    def play(self, moves: Mapping[int, str]) -> None:
        position = self.position
        play_turn(position, self.settings, [played(moves[seat]) for seat in SEATS], self._chance)
        if position.over:
            self._result = outcome(position)

    def result(self) -> Result | None:
        return self._result

    def final_message(self, seat: int) -> str:
        clash = self.position.last_clash
        return wire.round_end(clash, seat) if clash and self.position.over else ""

    def view(self) -> Json:
        from .view import view

        return view(self.position, self.settings)

    def display(self, names: Sequence[str] = ()) -> DronesDisplay:
        from .display import DronesDisplay

        return DronesDisplay(self, names)
