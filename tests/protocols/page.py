"""Facts and code blocks extracted from the pages for agent authors."""

from __future__ import annotations

import re
from importlib import resources


class Page:
    """README.md of a protocol, located as in an installed package."""

    def __init__(self, protocol: str) -> None:
        self.text = resources.files(f"protocols.{protocol}").joinpath("README.md").read_text(encoding="utf-8")

    def block(self, starting_with: str) -> str:
        """Return the only fenced block that starts with this text."""
        blocks = [found for found in re.findall(r"```.*\n((?s:.*?))```", self.text) if found.startswith(starting_with)]
        assert len(blocks) == 1, f"{len(blocks)} blocks start with {starting_with!r}"
        return str(blocks[0])
