"""A game of Splendor in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Game, Move

from .actions import PASS, action_of
from .checks import check
from .finish import outcome
from .rules import play_turn
from .wire import canonical, integers_of, prompt
from .words import remember

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Fault, Json, Result

    from .display import SplendorDisplay
    from .options import Settings
    from .state import Position


class SplendorGame(Game):
    """The seats move in order, one at a time; nothing is random after the deal."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.position = position
        self.settings = settings
        self.strict_exit = settings.strict_exit
        self.before = remember(position)
        self._result: Result | None = None

    def to_move(self) -> Sequence[int]:
        return () if self.position.over else (self.position.seat,)

    def prompt(self, seat: int) -> str:
        return prompt(self.position, seat)

    def read(self, seat: int, answer: str) -> Move:
        numbers = integers_of(answer)
        position = self.position
        check(position, position.players[seat], action_of(numbers), self.settings.return_gold)
        return Move(canonical(numbers))

    def fallback(self, seat: int, fault: Fault) -> str:
        return PASS

    def play(self, moves: Mapping[int, str]) -> None:
        position = self.position
        move = moves[position.seat]
        self.before = remember(position)
        action = None if move == PASS else action_of([int(word) for word in move.split()])
        play_turn(position, action, self.settings.max_rounds)
        if position.over:
            self._result = outcome(position)

    def result(self) -> Result | None:
        return self._result

    def view(self) -> Json:
        from .view import view

        return view(self.position, self.settings.max_rounds)

    def display(self, names: Sequence[str] = ()) -> SplendorDisplay:
        from .display import SplendorDisplay

        return SplendorDisplay(self, names)
