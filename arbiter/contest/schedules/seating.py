"""Seatings that make a table fair by construction.

Every seed is played in all seatings of a table, so any advantage that a deal or a seat gives to one agent is given to the
others too. All tables play the same seeds. The seatings follow from the set of names and the seed, never from the order
in which agents are listed: a game that was played stays the same game when other agents join.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from itertools import permutations
from typing import ClassVar, Literal

from arbiter.contest.scheduled import ScheduledGame
from arbiter.contest.schedules.base import Schedule
from arbiter.errors import FieldError, out_of_range, wrong_value

Seating = Literal["rotations", "permutations"]
"""rotations: every agent once in every seat. permutations: all orders. For tables of two they are the same."""
Table = tuple[str, ...]
"""Agents that play each other, sorted by name."""
_APART_BITS, _APART_BYTES = 20, 4
"""Seeds of games that are not paired differ by a hash of their seats, above the bits that schedules count in."""


class FairSchedule(Schedule, frozen=True, kw_only=True):
    """A schedule whose tables play every seed in all seatings."""

    seating: Seating = "rotations"
    paired: bool = True
    """Whether all tables and seatings play the same deals. Otherwise every game has a deal of its own: no agent can profit from
    what it has seen in another game, and luck takes more games to average out."""

    seeds_per_round: ClassVar[int | None] = None
    """Limit for kinds whose rounds each have their own range of seeds."""

    @property
    def seatings(self) -> int:
        """Number of games that a table plays with one seed."""
        return len(orders(self.seats, self.seating, 0))

    def seeds_for(self, games: int | None) -> int:
        """Return the number of seeds for this number of games per table; 1 for None."""
        if games is None:
            return 1
        if games < 1:
            raise FieldError(out_of_range("games", games, 1), "games")
        if games % self.seatings:
            why = f"a table of {self.seats} plays each seed in {self.seatings} seatings"
            raise FieldError(wrong_value("games", games, f"a multiple of {self.seatings}: {why}"), "games")
        if self.seeds_per_round is not None and games // self.seatings > self.seeds_per_round:
            raise FieldError(out_of_range("games", games, 1, self.seeds_per_round * self.seatings), "games")
        return games // self.seatings

    def games_of(self, tables: Sequence[Table], seeds: Iterable[int], stage: str = "") -> list[ScheduledGame]:
        """Return the games of every table with every seed in all seatings. Seeds vary slowest and tables fastest, so that at
        any time all agents have played about equally many games."""
        return [
            self._game(tuple([table[index] for index in order]), seed, stage)
            for seed in seeds
            for order in orders(self.seats, self.seating, seed)
            for table in tables
        ]

    def _game(self, seats: Table, seed: int, stage: str) -> ScheduledGame:
        if not self.paired:
            seed += int.from_bytes(sha256("\0".join(seats).encode()).digest()[:_APART_BYTES]) << _APART_BITS
        return ScheduledGame(seats, seed, stage)


def table_of(agents: Iterable[str]) -> Table:
    """Return the table of these agents."""
    return tuple(sorted(agents))


def orders(seats: int, seating: Seating, seed: int) -> tuple[tuple[int, ...], ...]:
    """Return the seatings of a table for a seed, as positions in the table by seat.

    Rotations keep the same neighbours throughout a seed, so neighbours change from seed to seed instead.
    """
    circles = _circles(seats)
    return _rotations(circles[seed % len(circles)]) if seating == "rotations" else _all_orders(seats)


@cache
def _circles(seats: int) -> list[tuple[int, ...]]:
    return [(0, *rest) for rest in permutations(range(1, seats))]


@cache
def _rotations(circle: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(circle[turn:] + circle[:turn] for turn in range(len(circle)))


@cache
def _all_orders(seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(seats)))


def snake_order(entrants: Sequence[str], tables: int) -> list[list[str]]:
    """Distribute entrants, best first, over tables of equal strength: 1 8 9 16, 2 7 10 15 and so on."""
    groups: list[list[str]] = [[] for _ in range(tables)]
    for index, entrant in enumerate(entrants):
        lap, at = divmod(index, tables)
        groups[at if lap % 2 == 0 else tables - 1 - at].append(entrant)
    return groups
