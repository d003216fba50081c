"""Rankings as sequences of choices, as the Plackett-Luce model reads them.

The model reads a ranking as a first agent chosen from all, a second chosen from the rest, and so on. Tied ranks leave the
order open: they stand for every possible order with equal weight. So a draw between two is half a win for each, and with
two seats the ratings follow from the score, as Elo's do. The orders are not enumerated: only the sets that agents are
chosen from, and how often, matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb

Choice = tuple[tuple[int, ...], float]
"""A set of agents that one was chosen from, and its weight."""
_MOST_ENUMERATED = 6
"""Up to this number of tied agents, all 2^n subsets are enumerated."""


def choices(agents: Sequence[int], ranks: Sequence[int]) -> list[Choice]:
    """Return all choices among two or more agents that a ranking stands for."""
    found: list[Choice] = []
    left = sorted(zip(ranks, agents, strict=True))
    while left:
        tied = [agent for rank, agent in left if rank == left[0][0]]
        left = left[len(tied) :]
        behind = [agent for _, agent in left]
        for size in range(len(tied), 0, -1):
            if size + len(behind) > 1:
                subsets = list(_subsets(tied, size))
                found += [(tuple(sorted([*subset, *behind])), 1 / len(subsets)) for subset in subsets]
    return found


def times_chosen(agents: Sequence[int], ranks: Sequence[int]) -> dict[int, float]:
    """Return how often each agent was chosen. The last one left was not chosen from anything."""
    last = [agent for agent, rank in zip(agents, ranks, strict=True) if rank == max(ranks)]
    times = dict.fromkeys(agents, 1.0)
    for agent in last:
        times[agent] -= 1 / len(last)
    return times


def _subsets(tied: Sequence[int], size: int) -> Iterable[Sequence[int]]:
    """Return the subsets of this size of tied agents: all of them, or a fair selection if there are many."""
    if len(tied) <= _MOST_ENUMERATED or comb(len(tied), size) <= len(tied):
        return combinations(tied, size)
    return _arcs(tied, size)


def _arcs(tied: Sequence[int], size: int) -> Iterator[Sequence[int]]:
    """Return runs of neighbours on a circle, so that every agent is in equally many."""
    around = [*tied, *tied]
    return (around[start : start + size] for start in range(len(tied)))
