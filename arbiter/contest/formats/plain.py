"""Text from strangers on one line, harmless for terminals, pages and tables. What each of them needs on top of that,
its shape adds."""

from __future__ import annotations

from collections.abc import Iterable

from arbiter.text import safe

NAME = 24
"""Letters that are shown of an agent's name where there is little room."""


def plain(text: str, most: int = 500) -> str:
    """Control characters, line breaks and marks that turn the direction of writing are written out; cut to size."""
    return safe(text, most)


def short_names(names: Iterable[str], most: int = NAME) -> dict[str, str]:
    """Every name cut to size, and no two of them alike: of long ones that begin alike the ends are shown."""
    short: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        whole = plain(name, 10_000)
        half = most // 2
        tries = [whole] if len(whole) <= most else [f"{whole[: most - 1]}…", f"{whole[: half - 1]}…{whole[-half:]}"]
        number = 1
        while tries[0] in taken:
            if len(tries) > 1:
                tries.pop(0)
                continue
            number += 1
            tail = f"~{number}"
            tries = [f"{whole[: most - len(tail)]}{tail}"]
        short[name] = tries[0]
        taken.add(tries[0])
    return short
