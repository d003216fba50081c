"""Optimal pairings for a round: as few repeated pairs as possible, and among those pairings the one that gives the first
agent its preferred opponent, then the second agent, and so on.

A maximum matching of the pairs that have not met yields the number of repetitions that cannot be avoided. Then agents
choose in order, and a choice is accepted if the others can still be matched with no more repetitions. So no choice leads
into a dead end, and no backtracking is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from arbiter.contest.schedules.matching import Matching


def pair_off(
    order: Sequence[int], fresh: Sequence[set[int]], prefer: Callable[[int, Sequence[int]], Iterable[int]]
) -> list[tuple[int, int]]:
    """Pair all vertices of ``order``, an even number, which choose in this order.

    ``fresh[v]`` are the vertices that v has not met. ``prefer(v, rest)`` lists all of the rest, best first.
    """
    matching = Matching(fresh)
    for vertex in order:
        matching.add(vertex)
    repetitions = len(matching.single) // 2
    rest, pairs = list(order), []
    while rest:
        chooser = rest.pop(0)
        for other in prefer(chooser, rest):
            left = repetitions - (other not in fresh[chooser])
            if left < 0:
                continue
            remaining = matching.without(chooser, other)
            if len(remaining.single) <= 2 * left:
                break
        else:
            raise AssertionError("some choice must leave a perfect matching")
        matching, repetitions = remaining, left
        rest.remove(other)
        pairs.append((chooser, other))
    return pairs
