"""Every table of k out of n, in an order in which agents have played almost equally much at any time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

Indices = tuple[int, ...]


def all_tables(count: int, seats: int) -> Iterator[list[Indices]]:
    """In rounds: in each, all ``count`` agents sit equally often (of an odd number at tables of two, one sits out)."""
    if seats == 2:
        return _circle(count)
    return _orbits(count, seats)


def _circle(count: int) -> Iterator[list[Indices]]:
    """Agents stand in a circle around the last one and face each other; the circle turns by one each round."""
    around = count - 1 + count % 2  # with an odd number, who faces the middle sits out
    for turn in range(around if count > 1 else 0):
        facing = [((turn + step) % around, (turn - step) % around) for step in range(1, (around + 1) // 2)]
        yield [*facing] if count % 2 else [(turn, around), *facing]


def _orbits(count: int, seats: int) -> Iterator[list[Indices]]:
    """Agents stand in a circle; a table is turned once around it, so everyone gets each of its seats. Tables that
    are turns of each other have the same gaps, so one of each kind is enough to start from."""
    for others in combinations(range(1, count), seats - 1):
        first = (0, *others)
        gaps = [after - before for before, after in zip(first, (*others, count), strict=True)]
        turned = [gaps[turn:] + gaps[:turn] for turn in range(1, seats)]
        if any(other < gaps for other in turned):
            continue
        # A table that looks the same after part of a turn comes round that much sooner.
        period = next((turn for turn, other in enumerate(turned, 1) if other == gaps), seats)
        yield [tuple([(index + shift) % count for index in first]) for shift in range(sum(gaps[:period]))]


def even_tables(count: int, seats: int, laps: int) -> Iterator[list[Indices]]:
    """Some of all tables, where all would be too many: in each lap everyone sits once in every seat.

    A lap is one table turned around the circle of agents. Its gaps are chosen, one agent after the other, so that who
    has met least often meets.
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
