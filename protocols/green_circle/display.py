"""Green Circle as people see it."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.game import Display, Json

from . import board, words
from .game import GreenCircleGame


class GreenCircleDisplay(Display[GreenCircleGame]):
    """Hides the same cards as agents are not told about."""

    def board(self, seat: int | None = None) -> str:
        return board.draw(self.game.view(), seat, [self.who(place) for place in range(2)])

    def view_for(self, seat: int) -> Json:
        """Show the same cards as agents are sent: counts of each own pile, and of all cards of the other team together."""
        shown = self.game.view()
        own, other = shown["teams"][seat], shown["teams"][1 - seat]
        own["draw"].sort()
        cards = sorted(other["hand"] + other["draw"] + other["discard"])
        other |= {"hand": [], "draw": [], "discard": cards, "played": []}
        return shown if self.game.turn.seat == seat else {**shown, "actions": []}

    def legal(self, seat: int) -> Sequence[str]:
        return list(dict.fromkeys(self.game.turn.actions))

    def describe(self, seat: int, move: str) -> str:
        return words.describe(self.game.turn, move)

    def scores_so_far(self) -> Sequence[float]:
        return tuple(team.score for team in self.game.office.teams)

    def events(self) -> Sequence[str]:
        return tuple(self.game.office.news)

    def news(self, seat: int) -> Sequence[str]:
        """Leave out what is in the other seat's hand: agents are sent its cards without being told which are in hand."""
        hidden = (f"seat {1 - seat} draws ", f"seat {1 - seat} has no technical debt in hand")
        return [event for event in self.events() if not event.startswith(hidden)]
