"""A game in which the agent works for a fixed time in every turn, to see what it is charged for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter.agents.ask.table import RESTARTS
from arbiter.game import Fault, FaultKind, Game, Json, Move, Result

LATE = "late"


class BurningGame(Game):
    """So many moves of so many microseconds of CPU time. An agent that has just been started is asked for nothing first, so
    that its start is not part of a move; one that is late is started anew, and the game is over when it may not be."""

    def __init__(self, moves: int, burn_us: int) -> None:
        self._left, self._burn_us = moves, burn_us
        self._lives = RESTARTS + 1
        self.counts = False
        """Whether the answer to come is a move, and not that of an agent that has just been started."""

    def to_move(self) -> Sequence[int]:
        """Always the one seat."""
        return (0,)

    def prompt(self, seat: int) -> str:
        """How long to work."""
        return f"{self._burn_us if self.counts else 0}\n"

    def read(self, seat: int, answer: str) -> Move:
        """Whatever it says."""
        return Move("done")

    def fallback(self, seat: int, fault: Fault) -> str:
        """Being late is what is measured; anything else is a mistake of the benchmark."""
        if fault.kind is not FaultKind.LATE or not self.counts:
            raise RuntimeError(f"the benchmark's agent faulted: {fault}")
        return LATE

    def play(self, moves: Mapping[int, str]) -> None:
        """One move less."""
        self._left -= self.counts
        late = moves[0] == LATE
        self._lives -= late
        self.counts = not late

    def result(self) -> Result | None:
        """After the last move, or when the agent has used up its lives."""
        over = not self._left or not self._lives
        return Result((1,), (0,), "the moves are over") if over else None

    def view(self) -> Json:
        """Nothing to see."""
        return {}

    def board(self, seat: int | None = None) -> str:
        """Nothing to see."""
        return ""
