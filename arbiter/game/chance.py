"""The only source of randomness in a game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha512
from itertools import count
from struct import unpack
from typing import TypeVar

T = TypeVar("T")

TYPED_SEEDS = 1 << 64
"""Seeds from here on are drawn at random, not typed, and must stay secret until the game has ended."""


class BadOutcome(ValueError):
    """A recorded outcome that does not belong to the game being replayed."""


class Chance:
    """A seeded random generator whose outcomes are recorded as they are drawn.

    Every draw is one call of :meth:`below`; outcomes are collected until :meth:`take` passes them to the record.
    Given ``recorded`` outcomes, draws return those instead, and the generator only counts the ones that it would
    have drawn differently (:attr:`mismatches`).
    """

    def __init__(self, seed: int, stream: str = "play", recorded: Iterable[int] | None = None) -> None:
        self._random = _generator(seed, stream)
        self._recorded = None if recorded is None else list(reversed(list(recorded)))
        self._taken: list[int] = []
        self.mismatches = 0

    def below(self, n: int) -> int:
        """Draw an integer from 0 to n − 1, each equally likely."""
        outcome = int(self._random() * n)
        if self._recorded is not None:
            if not self._recorded:
                raise BadOutcome(f"the record has no outcome for a draw below {n}")
            drawn, outcome = outcome, self._recorded.pop()
            if not 0 <= outcome < n:
                raise BadOutcome(f"the recorded outcome {outcome} is not below {n}")
            self.mismatches += drawn != outcome
        self._taken.append(outcome)
        return outcome

    def fraction(self) -> float:
        """Draw a number from 0 up to, but not including, 1."""
        return self.below(1 << 53) / (1 << 53)

    def choice(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items in random order."""
        pile = list(items)
        for last in range(len(pile) - 1, 0, -1):
            other = self.below(last + 1)
            pile[last], pile[other] = pile[other], pile[last]
        return pile

    def take(self) -> list[int]:
        """Return the outcomes drawn since the last call."""
        if not self._taken:
            return []
        taken, self._taken = self._taken, []
        return taken

    def expect(self, outcomes: Iterable[int]) -> None:
        """Draw these outcomes next. Raises ValueError if earlier recorded ones were not drawn."""
        if self._recorded:
            raise BadOutcome(f"{len(self._recorded)} recorded outcomes were never drawn")
        self._recorded = list(reversed(list(outcomes)))


def _generator(seed: int, stream: str) -> Callable[[], float]:
    """Return a function that draws numbers from 0 up to, but not including, 1."""
    name = f"{stream}:{seed}"
    if seed < TYPED_SEEDS:
        # Python guarantees the same sequence for a seed in every version for random() only, not for other methods.
        return random.Random(name).random
    # The state of Python's generator, and from it the seed, can be computed from enough of its outcomes.
    return _hashed(name.encode()).__next__


def _hashed(name: bytes) -> Iterator[float]:
    """Yield the words of SHA-512("NAME:0"), SHA-512("NAME:1") and so on, 53 bits of each."""
    for block in count():
        for word in unpack(">8Q", sha512(b"%b:%d" % (name, block)).digest()):
            yield (word >> 11) * 2.0**-53
