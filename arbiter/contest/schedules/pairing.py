"""Optimal pairings for a round: as few repeated pairs as possible, and among those pairings the one that gives the first
agent its preferred opponent, then the second agent, and so on.

A maximum matching (Edmonds' blossom algorithm, kept maximal while vertices are added and removed) of the pairs that have not
met yields the number of repetitions that cannot be avoided. Then agents choose in order, and a choice is accepted if the others
can still be matched with no more repetitions. So no choice leads into a dead end, and no backtracking is needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence


class Matching:
    """A maximum matching of the vertices added so far."""

    def __init__(self, neighbours: Sequence[set[int]]) -> None:
        self.neighbours = neighbours
        self.mate: dict[int, int] = {}
        self.single: set[int] = set()
        """Unmatched vertices. All others have a mate."""

    def add(self, vertex: int) -> None:
        """Add a vertex."""
        self.single.add(vertex)
        _Search(self, vertex).run()

    def without(self, *vertices: int) -> Matching:
        """Return a maximum matching without these vertices; unmatched vertices are searched from once each."""
        smaller = Matching(self.neighbours)
        smaller.mate, smaller.single = dict(self.mate), set(self.single)
        for vertex in vertices:
            if vertex in smaller.single:
                smaller.single.remove(vertex)
            else:
                widowed = smaller.mate.pop(vertex)
                del smaller.mate[widowed]
                smaller.single.add(widowed)
        for vertex in sorted(smaller.single):
            if vertex in smaller.single:
                _Search(smaller, vertex).run()
        return smaller


class _Search:
    """A search for an augmenting path: from an unmatched vertex to another one, with every second edge in the matching.
    Swapping the edges of the path adds a pair. Odd cycles (blossoms) are contracted to one vertex, their base."""

    def __init__(self, matching: Matching, root: int) -> None:
        self.matching, self.mate, self.root = matching, matching.mate, root
        self.parent: dict[int, int] = {}
        """Predecessors of vertices reached by an edge outside the matching."""
        self.bases: dict[int, int] = {}
        self.queued = {root}
        self.queue = deque([root])

    def run(self) -> None:
        """Augment the matching along a path, if there is one."""
        mate, single = self.mate, self.matching.single
        while self.queue:
            vertex = self.queue.popleft()
            for other in self.matching.neighbours[vertex]:
                if other not in mate and other not in single:
                    continue  # not added, or removed
                if self.base(vertex) == self.base(other) or mate.get(vertex) == other:
                    continue
                if other == self.root or (other in mate and mate[other] in self.parent):
                    self.contract(vertex, other)
                elif other not in self.parent:
                    self.parent[other] = vertex
                    if other in single:
                        self.swap(other)
                        return
                    self.enqueue(mate[other])

    def base(self, vertex: int) -> int:
        return self.bases.get(vertex, vertex)

    def enqueue(self, vertex: int) -> None:
        if vertex not in self.queued:
            self.queued.add(vertex)
            self.queue.append(vertex)

    def contract(self, one: int, other: int) -> None:
        """Contract the odd cycle that an edge between two branches closes."""
        top = self.meeting(one, other)
        cycle = self.climb(one, top, other) | self.climb(other, top, one)
        for vertex in [*self.mate, self.root]:
            if self.base(vertex) in cycle:
                self.bases[vertex] = top
                self.enqueue(vertex)

    def meeting(self, one: int, other: int) -> int:
        """Return the base at which the paths to the root meet."""
        passed = {one := self.base(one)}
        while one != self.base(self.root):
            one = self.base(self.parent[self.mate[one]])
            passed.add(one)
        other = self.base(other)
        while other not in passed:
            other = self.base(self.parent[self.mate[other]])
        return other

    def climb(self, vertex: int, top: int, child: int) -> set[int]:
        """Return the bases on the path up, and make the path usable in the other direction."""
        passed = set()
        while self.base(vertex) != top:
            mate = self.mate[vertex]
            passed |= {self.base(vertex), self.base(mate)}
            self.parent[vertex] = child
            child, vertex = mate, self.parent[mate]
        return passed

    def swap(self, end: int) -> None:
        self.matching.single -= {self.root, end}
        at: int | None = end
        while at is not None:
            before = self.parent[at]
            following = self.mate.get(before)
            self.mate[at], self.mate[before] = before, at
            at = following


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
