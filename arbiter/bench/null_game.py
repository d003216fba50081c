"""A game without rules: one seat, a line in, a line out. What remains is the cost of the arbiter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from time import perf_counter_ns

from arbiter.game import Fault, Game, IllegalMove, Json, Move, Result

OK = Move("ok")


class NullGame(Game):
    """Ends after so many turns."""

    def __init__(self, turns: int, line: str, *, each: bool = False) -> None:
        """``line`` is what the agent is sent; it has to answer ``ok``. Turns that take long are timed ``each``."""
        self._left, self._line, self._each = turns, line, each
        self._more = turns - 1
        """After the first turn."""
        self._times: list[int] = []

    @property
    def turn_us(self) -> float:
        """Time from turn to turn, the mean or, if each was timed, the median: starting and ending an agent that lives for
        the game is not in it."""
        if self._each:
            return median(later - earlier for earlier, later in pairwise(self._times)) / 1000
        return (self._times[-1] - self._times[0]) / self._more / 1000

    def to_move(self) -> Sequence[int]:
        """Always the one seat."""
        return (0,)

    def prompt(self, seat: int) -> str:
        """Always the same."""
        return self._line

    def read(self, seat: int, answer: str) -> Move:
        """Anything else would distort the measurement."""
        if answer.strip() != "ok":
            raise IllegalMove(f"expected ok, not {answer[:40]!r}")
        return OK

    def fallback(self, seat: int, fault: Fault) -> str:
        """A benchmark with faults measures something else."""
        raise RuntimeError(f"the benchmark's agent faulted: {fault}")

    def play(self, moves: Mapping[int, str]) -> None:
        """One turn less."""
        self._left = left = self._left - 1
        if left == self._more or not left or self._each:
            self._times.append(perf_counter_ns())

    def result(self) -> Result | None:
        """After the last turn."""
        return None if self._left else Result((1,), (0,), "the turns are over")

    def view(self) -> Json:
        """Nothing to see."""
        return {}

    def board(self, seat: int | None = None) -> str:
        """Nothing to see."""
        return ""
