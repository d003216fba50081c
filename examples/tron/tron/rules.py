"""The rules: a grid, riders that leave walls behind them, and one turn as a list of stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

FREE = -1
STEPS = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}

Cell = tuple[int, int]


@dataclass(slots=True)
class Rider:
    """One rider."""

    at: Cell
    crashed: int | None = None
    """The turn in which it crashed; None while it rides."""


class Grid:
    """The cells, each with the owner of its wall, and the riders."""

    def __init__(self, width: int, height: int, starts: list[Cell]) -> None:
        self.width, self.height = width, height
        self.walls = [[FREE] * width for _ in range(height)]
        self.riders = [Rider(at) for at in starts]
        self.turn = 0
        for seat, (x, y) in enumerate(starts):
            self.walls[y][x] = seat

    def riding(self) -> list[int]:
        """Return the seats that have not crashed."""
        return [seat for seat, rider in enumerate(self.riders) if rider.crashed is None]

    def free(self, cell: Cell) -> bool:
        """Whether a cell is on the grid and has no wall."""
        x, y = cell
        return 0 <= x < self.width and 0 <= y < self.height and self.walls[y][x] == FREE

    def target(self, seat: int, direction: str) -> Cell:
        """Return the cell that a rider would move to."""
        (x, y), (dx, dy) = self.riders[seat].at, STEPS[direction]
        return x + dx, y + dy

    def advance(self, directions: Mapping[int, str | None]) -> list[int]:
        """Play one turn, in which all riders move at once; a rider without a direction crashes. Return who crashed."""
        self.turn += 1
        targets = {seat: self.target(seat, word) for seat, word in directions.items() if word is not None}
        crowded = Counter(targets.values())
        # Crashes are decided before anybody has moved, so that two riders that meet in a cell both crash.
        crashed = [
            seat
            for seat in directions
            if seat not in targets or not self.free(targets[seat]) or crowded[targets[seat]] > 1
        ]
        for seat in crashed:
            self.riders[seat].crashed = self.turn
        for seat, (x, y) in targets.items():
            if seat not in crashed:
                self.walls[y][x] = seat
                self.riders[seat].at = (x, y)
        return crashed
