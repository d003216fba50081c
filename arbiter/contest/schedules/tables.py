"""All tables of k out of n agents, in an order in which at any time all agents have played about equally often."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

Indices = tuple[int, ...]


def all_tables(count: int, seats: int) -> Iterator[list[Indices]]:
    """Yield rounds in which all ``count`` agents play equally often; with an odd number at tables of two, one sits out."""
    if seats == 2:
        return _circle(count)
    return _orbits(count, seats)


def _circle(count: int) -> Iterator[list[Indices]]:
    """Yield the pairs of a round robin by the circle method: one agent is fixed, the others rotate by one each round."""
    around = count - 1 + count % 2  # with an odd number, the agent opposite the centre sits out
    for turn in range(around if count > 1 else 0):
        facing = [((turn + step) % around, (turn - step) % around) for step in range(1, (around + 1) // 2)]
        yield [*facing] if count % 2 else [(turn, around), *facing]


def _orbits(count: int, seats: int) -> Iterator[list[Indices]]:
    """Yield every table together with its rotations around a circle of agents, so that every agent gets each of its seats.
    Tables that are rotations of each other have the same gaps, so one representative of each is enough."""
    for others in combinations(range(1, count), seats - 1):
        first = (0, *others)
        gaps = [after - before for before, after in zip(first, (*others, count), strict=True)]
        turned = [gaps[turn:] + gaps[:turn] for turn in range(1, seats)]
        if any(other < gaps for other in turned):
            continue
        # A table that is invariant under a partial rotation has a shorter orbit.
        period = next((turn for turn, other in enumerate(turned, 1) if other == gaps), seats)
        yield [tuple([(index + shift) % count for index in first]) for shift in range(sum(gaps[:period]))]


def even_tables(count: int, seats: int, laps: int) -> Iterator[list[Indices]]:
    """Yield a selection of tables, where all would be too many: in each lap every agent plays once in every seat.

    A lap is one table rotated around the circle of agents. Its gaps are chosen, one agent after the other, so that
    agents that have met least often meet.
    """
    met = [0] * count
    for _ in range(laps):
        table = [0]
        while len(table) < seats:
            free = [index for index in range(1, count) if index not in table]
            table.append(min(free, key=lambda index: sum(met[index - other] for other in table)))
            for other in table[:-1]:
                met[table[-1] - other] += 1
                met[other - table[-1]] += 1
        yield [tuple([(index + shift) % count for index in table]) for shift in range(count)]
