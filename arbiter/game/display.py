"""What people need of a game, and agents and the referee do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from arbiter.game.results import Json

if TYPE_CHECKING:
    from arbiter.game.interface import Game

AnyGame = TypeVar("AnyGame", bound="Game")
_WIDTH = 80


class Display(Generic[AnyGame]):
    """A game as people see it: as text, in sentences, and with their choices.

    :meth:`Game.display` returns it. Every method has a default, and none of them changes the game.
    """

    def __init__(self, game: AnyGame, names: Sequence[str] = ()) -> None:
        """``names`` are, by seat, the agent and the seat in the words of the protocol, such as "greedy (seat 0)"."""
        self.game = game
        self.names = names

    def who(self, seat: int) -> str:
        """Return what to call a seat on a :meth:`board`: "greedy (seat 0)", or "seat 0" if the agents are not known."""
        return self.names[seat] if self.names else f"seat {seat}"

    def board(self, seat: int | None = None) -> str:
        """Return the position as readable text with terminal styles (see :func:`paint`), at most 80 columns wide.

        Hides what ``seat`` may not see; None shows everything. Seats are named by :meth:`who`. By default the data of
        :meth:`Game.view`, or what a seat that is to move is sent.
        """
        import json  # slow to import, and most games have a board of their own

        if seat is None:
            view = self.game.view()
            entries = view if isinstance(view, dict) else {"position": view}
            lines = [f"{name}: {json.dumps(value)}" for name, value in entries.items()]
        else:
            lines = self.game.prompt(seat).splitlines() if seat in self.game.to_move() else []
        return "\n".join(line[at : at + _WIDTH] for line in lines for at in range(0, max(1, len(line)), _WIDTH))

    def view_for(self, seat: int) -> Json | None:
        """Return :meth:`Game.view` without what ``seat`` may not know, for a person who plays in a browser.

        None if the protocol does not say what is hidden: the person then sees :meth:`board`.
        """
        return None

    def legal(self, seat: int) -> Sequence[str] | None:
        """Return the legal answers of a seat of :meth:`Game.to_move`, to offer them; None if they cannot be listed."""
        return None

    def shows_move(self, seat: int) -> bool:
        """Return whether the other seats learn what ``seat`` plays in this turn, as opposed to a secret move."""
        return True

    def describe(self, seat: int, move: str) -> str:
        """Describe a canonical move in the current position, such as "buys card 17 for 3 blue".

        A seat is called "seat 2" here, in :meth:`events` and in the reason of a result (or by the words of
        :attr:`Protocol.seat_word`); the arbiter adds the name of its agent.
        """
        return move

    def typed(self, seat: int, text: str) -> str:
        """Return the answer that a person means by what they typed, such as an abbreviation. Not used for agents."""
        return text

    def numbers(self) -> Mapping[str, int]:
        """Return other numbers of the current turn, by name, if agents or people count differently from the arbiter:
        ``{"round": 9, "ply": 34}``. A name is one lower-case word; names differ in their first letter."""
        return {}

    def scores_so_far(self) -> Sequence[float]:
        """Return the score of each seat so far, for viewers that show it over time; empty if the game has none."""
        return ()

    def events(self) -> Sequence[str]:
        """Describe what else happened in the last :meth:`Game.play`, such as "seat 2 dies"."""
        return ()

    def news(self, seat: int) -> Sequence[str]:
        """Return the :meth:`events` that this seat may know about, for a person who plays it."""
        return self.events()
