"""A game without rules: one seat, a line in, a line out. Its turns cost nothing but the arbiter's overhead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from time import perf_counter_ns

from arbiter.game import Fault, Game, IllegalMove, Json, Move, Result

OK = Move("ok")


class NullGame(Game):
    """A game of one seat that ends after a number of turns."""

    def __init__(self, turns: int, line: str, *, each: bool = False) -> None:
        """Send ``line`` in every turn; the agent must answer ``ok``. ``each`` times every turn, for slow turns."""
        self._left, self._line, self._each = turns, line, each
        self._more = turns - 1
        """Turns after the first."""
        self._times: list[int] = []

    @property
    def turn_us(self) -> float:
        """Microseconds from turn to turn: the mean, or the median if each turn was timed.

        The start and the exit of an agent that lives for the game are not included.
        """
        if self._each:
            return median(later - earlier for earlier, later in pairwise(self._times)) / 1000
        return (self._times[-1] - self._times[0]) / self._more / 1000

    def to_move(self) -> Sequence[int]:
        """Return the only seat."""
        return (0,)

    def prompt(self, seat: int) -> str:
        """Return the same line every time."""
        return self._line

    def read(self, seat: int, answer: str) -> Move:
        """Accept ``ok`` only: any other answer would distort the measurement."""
        if answer.strip() != "ok":
            raise IllegalMove(f"expected ok, not {answer[:40]!r}")
        return OK

    def fallback(self, seat: int, fault: Fault) -> str:
        """Stop: a fault would distort the measurement."""
        raise RuntimeError(f"the benchmark's agent faulted: {fault}")

    def play(self, moves: Mapping[int, str]) -> None:
        """Count the turn, and note the time if each turn is timed."""
        self._left = left = self._left - 1
        if left == self._more or not left or self._each:
            self._times.append(perf_counter_ns())

    def result(self) -> Result | None:
        """Return a result after the last turn."""
        return None if self._left else Result((1,), (0,), "the turns are over")

    def view(self) -> Json:
        """Return nothing: there is no position."""
        return {}
