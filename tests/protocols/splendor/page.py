"""Facts and code blocks extracted from the page for agent authors."""

from __future__ import annotations

import re
from importlib import resources


def page() -> str:
    """Return README.md of the protocol, located as in an installed package."""
    return resources.files("protocols.splendor").joinpath("README.md").read_text(encoding="utf-8")


def block(starting_with: str) -> str:
    """Return the only fenced block of the page that starts with this text."""
    blocks = [found for found in re.findall(r"```\w*\n(.*?)```", page(), re.DOTALL) if found.startswith(starting_with)]
    assert len(blocks) == 1, f"{len(blocks)} blocks start with {starting_with!r}"
    return str(blocks[0])


def published_cards() -> dict[int, tuple[int, int, int, tuple[int, ...]]]:
    """Return level, bonus, points and cost of every card, from the table on the page."""
    cards = {}
    for row in block("ids ").splitlines()[1:]:
        ids, level, points, *costs = row.split()
        first = int(ids.split("-")[0])
        for bonus, cost in enumerate(costs):
            cards[first + bonus] = (int(level), bonus, int(points), tuple(map(int, cost)))
    return cards
