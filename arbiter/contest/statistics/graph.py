"""Strongly connected components: groups of agents that can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def components(nodes: Iterable[str], edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the groups of nodes that can all reach each other along the edges, in the order of ``nodes``."""
    order = list(nodes)
    back: dict[str, list[str]] = {}
    for start, ends in edges.items():
        for end in ends:
            back.setdefault(end, []).append(start)
    groups: list[list[str]] = []
    placed: set[str] = set()
    for node in order:
        if node not in placed:
            both = _reached(node, edges) & _reached(node, back)
            groups.append([other for other in order if other in both])
            placed |= both
    return groups


def _reached(start: str, edges: Mapping[str, Iterable[str]]) -> set[str]:
    found, pending = {start}, [start]
    while pending:
        for end in edges.get(pending.pop(), ()):
            if end not in found:
                found.add(end)
                pending.append(end)
    return found
