"""A game in which every move costs a fixed amount of CPU time, to compare with what the agent is charged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter.agents.ask.table import RESTARTS
from arbiter.game import Fault, FaultKind, Game, Json, Move, Result

LATE = "late"


class BurnGame(Game):
    """A number of moves that each take a number of microseconds of CPU time.

    A freshly started agent is first asked for a move that takes no time, so that start-up is not part of a measured
    move. A late agent is restarted; the game ends when it has used up its restarts.
    """

    def __init__(self, moves: int, burn_us: int) -> None:
        self._left, self._burn_us = moves, burn_us
        self._lives = RESTARTS + 1
        self.counts = False
        """Whether the next answer is a measured move, and not the first answer of a freshly started agent."""

    def to_move(self) -> Sequence[int]:
        """Return the only seat."""
        return (0,)

    def prompt(self, seat: int) -> str:
        """Return the CPU time to use, in microseconds."""
        return f"{self._burn_us if self.counts else 0}\n"

    def read(self, seat: int, answer: str) -> Move:
        """Accept any answer."""
        return Move("done")

    def fallback(self, seat: int, fault: Fault) -> str:
        """Record a late move, which is what is measured; any other fault is a mistake in the benchmark."""
        if fault.kind is not FaultKind.LATE or not self.counts:
            raise RuntimeError(f"the benchmark's agent faulted: {fault}")
        return LATE

    def play(self, moves: Mapping[int, str]) -> None:
        """Count the move."""
        self._left -= self.counts
        late = moves[0] == LATE
        self._lives -= late
        self.counts = not late

    def result(self) -> Result | None:
        """Return a result after the last move, or when the agent has used up its restarts."""
        over = not self._left or not self._lives
        return Result((1,), (0,), "the moves are over") if over else None

    def view(self) -> Json:
        """Return nothing: there is no position."""
        return {}
