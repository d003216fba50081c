"""Untrusted text on one line, without control characters. Each format adds the escaping that it needs itself."""

from __future__ import annotations

from collections.abc import Iterable

from arbiter.text import cut, safe

NAME = 24
"""The most terminal columns of an agent's name that are shown where space is short."""


def plain(text: str, most: int = 500) -> str:
    """Escape control characters, line breaks and bidirectional marks, and cut to ``most`` characters."""
    return safe(text, most)


def short_names(names: Iterable[str], most: int = NAME) -> dict[str, str]:
    """Cut every name to ``most`` columns of a terminal and keep them distinct: long names with the same beginning show
    their end."""
    short: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        whole = plain(name, 10_000)
        half = most // 2
        tries = [cut(whole, most)]
        if tries[0] != whole:
            tries.append(cut(whole, half) + cut(whole[::-1], most - half + 1)[-2::-1])
        number = 1
        while tries[0] in taken:
            if len(tries) > 1:
                tries.pop(0)
                continue
            number += 1
            tail = f"~{number}"
            tries = [cut(whole, most - len(tail)) + tail]
        short[name] = tries[0]
        taken.add(tries[0])
    return short
