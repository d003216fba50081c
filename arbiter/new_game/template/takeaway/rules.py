"""The rules: heaps of stones, and taking some of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Heaps:
    """The stones left in each heap."""

    stones: list[int]

    def take(self, heap: int, count: int) -> None:
        """Take stones; the caller has checked that there are enough."""
        self.stones[heap] -= count

    def moves(self) -> list[tuple[int, int]]:
        """Return every legal move: a heap, and how many stones to take from it."""
        return [(heap, count) for heap, left in enumerate(self.stones) for count in range(1, left + 1)]

    @property
    def empty(self) -> bool:
        """Whether no stone is left."""
        return not any(self.stones)
