"""Who can be compared with whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def components(nodes: Iterable[str], edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Groups within which everybody can be reached from everybody along the edges, in order of ``nodes``."""
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
    found, open_ = {start}, [start]
    while open_:
        for end in edges.get(open_.pop(), ()):
            if end not in found:
                found.add(end)
                open_.append(end)
    return found
