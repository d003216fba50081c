"""Ranked games as the choices they stand for: who, of those that were left, came next.

Plackett and Luce read a ranking as a first chosen from all, a second from the rest, and so on. Level ranks say that
the order among them was not decided: they stand for all orders they could have come in, each with the same share. So
a draw of two is half a win for either, and with two seats the ratings are those of the score, as Elo's are. The orders
are not written out: what counts is which sets are chosen from, and how often.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb

Choice = tuple[tuple[int, ...], float]
"""A set of agents that one was chosen from, and how often."""
_LISTED = 6
"""Up to so many level agents all their subsets are listed, 2 to the power of that."""


def choices(agents: Sequence[int], ranks: Sequence[int]) -> list[Choice]:
    """All choices among two or more that a ranking stands for."""
    found: list[Choice] = []
    left = sorted(zip(ranks, agents, strict=True))
    while left:
        level = [agent for rank, agent in left if rank == left[0][0]]
        left = left[len(level) :]
        behind = [agent for _, agent in left]
        for size in range(len(level), 0, -1):
            if size + len(behind) > 1:
                subsets = list(_subsets(level, size))
                found += [(tuple(sorted([*subset, *behind])), 1 / len(subsets)) for subset in subsets]
    return found


def chosen(agents: Sequence[int], ranks: Sequence[int]) -> dict[int, float]:
    """How often each agent was chosen; the last one left is no choice."""
    last = [agent for agent, rank in zip(agents, ranks, strict=True) if rank == max(ranks)]
    times = dict.fromkeys(agents, 1.0)
    for agent in last:
        times[agent] -= 1 / len(last)
    return times


def _subsets(level: Sequence[int], size: int) -> Iterable[Sequence[int]]:
    """Those that may be left over of level agents: all subsets, or of many agents a fair selection of them."""
    if len(level) <= _LISTED or comb(len(level), size) <= len(level):
        return combinations(level, size)
    return _arcs(level, size)


def _arcs(level: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Neighbours on a circle: everybody is in as many of them."""
    around = [*level, *level]
    return (around[start : start + size] for start in range(len(level)))
