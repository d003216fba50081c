"""Who meets whom in a round of pairs, exactly: as few repetitions as there can be, and among such pairings the one that
gives the first in order the opponent it should have, then the next, and so on down.

A largest matching of the pairs that would be no repetition tells how many cannot be avoided. Then agents choose in
order, and a choice stands if the others can still be matched with no more repetitions than that. So no choice leads
into a dead end, and no search goes through all pairings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from arbiter.contest.schedules.matching import Matching


def pair_off(
    order: Sequence[int], fresh: Sequence[set[int]], prefer: Callable[[int, Sequence[int]], Iterable[int]]
) -> list[tuple[int, int]]:
    """Pair all of ``order``, an even number of vertices that choose in this order.

    ``fresh[v]`` are those v would not meet again. ``prefer(v, rest)`` lists all of the rest, best first.
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
            raise AssertionError("some choice keeps the matching whole")
        matching, repetitions = remaining, left
        rest.remove(other)
        pairs.append((chooser, other))
    return pairs
