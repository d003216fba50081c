"""A game of Splendor in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Game, Move

from .actions import PASS, action_of
from .finish import outcome
from .legality import check
from .rules import carry_out, pass_on
from .wire import canonical, integers_of, prompt
from .words import describe, events, remember

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Fault, Json, Result

    from .options import Settings
    from .state import Position


class SplendorGame(Game):
    """The seats move in order, one at a time; nothing is random after the deal."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.position = position
        self.settings = settings
        self.strict_exit = settings.strict_exit
        self._before = remember(position)
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
        self._before = remember(position)
        if move != PASS:
            carry_out(position, action_of([int(word) for word in move.split()]))
        pass_on(position, self.settings.max_rounds)
        if position.over:
            self._result = outcome(position)

    def result(self) -> Result | None:
        return self._result

    def numbers(self) -> Mapping[str, int]:
        return {"round": self.position.round}

    def scores_so_far(self) -> Sequence[float]:
        return tuple(player.points for player in self.position.players)

    def view(self) -> Json:
        from .view import view

        return view(self.position, self.settings.max_rounds)

    def view_for(self, seat: int) -> Json:
        from .view import view

        return view(self.position, self.settings.max_rounds, seat)

    def legal(self, seat: int) -> Sequence[str]:
        from .legal import legal_moves

        return legal_moves(self, seat)

    def board(self, seat: int | None = None) -> str:
        from .board import board

        return board(self.position, seat, [self.who(place) for place in range(len(self.position.players))])

    def describe(self, seat: int, move: str) -> str:
        return describe(self.position, seat, move)

    def events(self) -> Sequence[str]:
        return events(self._before, self.position, self.settings.max_rounds)
