"""A largest set of pairs in a graph (Edmonds' algorithm), kept largest while vertices are added and taken out."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


class Matching:
    """Pairs of neighbours, as many as there can be, among the vertices added so far."""

    def __init__(self, neighbours: Sequence[set[int]]) -> None:
        self.neighbours = neighbours
        self.mate: dict[int, int] = {}
        self.single: set[int] = set()
        """Those without a mate. All others have one."""

    def add(self, vertex: int) -> None:
        """Take in one more."""
        self.single.add(vertex)
        _Search(self, vertex).run()

    def without(self, *vertices: int) -> Matching:
        """The same for the other vertices: whoever is without a mate then looks for one, once."""
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
    """Looks for a path from a single vertex to another one on which every second step is a pair; swapping its pairs
    makes one more. Odd cycles that turn up are treated as one vertex, their base."""

    def __init__(self, matching: Matching, root: int) -> None:
        self.matching, self.mate, self.root = matching, matching.mate, root
        self.parent: dict[int, int] = {}
        """Where the path came from, of vertices reached by a step that is no pair."""
        self.bases: dict[int, int] = {}
        self.queued = {root}
        self.queue = deque([root])

    def run(self) -> None:
        """Find the path and swap its pairs, if there is one."""
        mate, single = self.mate, self.matching.single
        while self.queue:
            vertex = self.queue.popleft()
            for other in self.matching.neighbours[vertex]:
                if other not in mate and other not in single:
                    continue  # was not added, or was taken out
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
        """An edge between two branches closes an odd cycle."""
        top = self.meeting(one, other)
        cycle = self.climb(one, top, other) | self.climb(other, top, one)
        for vertex in [*self.mate, self.root]:
            if self.base(vertex) in cycle:
                self.bases[vertex] = top
                self.enqueue(vertex)

    def meeting(self, one: int, other: int) -> int:
        """The base where the ways back to the root meet."""
        passed = {one := self.base(one)}
        while one != self.base(self.root):
            one = self.base(self.parent[self.mate[one]])
            passed.add(one)
        other = self.base(other)
        while other not in passed:
            other = self.base(self.parent[self.mate[other]])
        return other

    def climb(self, vertex: int, top: int, child: int) -> set[int]:
        """The bases on the way up, which from now on can also be walked the other way round."""
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
