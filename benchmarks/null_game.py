"""A game without rules: one seat, a line in, a line out. What remains is the cost of the arbiter."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from arbiter.game import Fault, Game, IllegalMove, Json, Move, Result

LINE = "x" * 99 + "\n"


class NullGame(Game):
    """Ends after so many turns."""

    def __init__(self, turns: int) -> None:
        self._left = self._turns = turns
        self._began_ns = self._ended_ns = 0

    @property
    def turn_us(self) -> float:
        """Mean time from turn to turn: starting and ending the agent is not in it."""
        return (self._ended_ns - self._began_ns) / (self._turns - 1) / 1000

    def to_move(self) -> Sequence[int]:
        """Always the one seat."""
        return (0,)

    def prompt(self, seat: int) -> str:
        """A hundred bytes."""
        return LINE

    def read(self, seat: int, answer: str) -> Move:
        """Anything but a fault would distort the measurement."""
        if answer.strip() != "ok":
            raise IllegalMove(f"expected ok, not {answer[:40]!r}")
        return Move("ok")

    def fallback(self, seat: int, fault: Fault) -> str:
        """A benchmark with faults measures something else."""
        raise RuntimeError(f"the benchmark's agent faulted: {fault}")

    def play(self, moves: Mapping[int, str]) -> None:
        """One turn less."""
        self._left -= 1
        if self._left == 0:
            self._ended_ns = time.perf_counter_ns()
        elif self._left == self._turns - 1:
            self._began_ns = time.perf_counter_ns()

    def result(self) -> Result | None:
        """After the last turn."""
        return None if self._left else Result((1,), (0,), "the turns are over")

    def view(self) -> Json:
        """Nothing to see."""
        return {}

    def board(self, seat: int | None = None) -> str:
        """Nothing to see."""
        return ""
