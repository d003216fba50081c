"""The commands and programs that the documents show in blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.tools import ROOT

PAGES = sorted(
    str(path.relative_to(ROOT))
    for pattern in (
        "*.md",
        "docs/*.md",
        "protocols/*/*.md",
        "sample_agents/*/*.md",
        "examples/**/*.md",
        "arbiter/**/*.md",
    )
    for path in ROOT.glob(pattern)
    if path.name != "CHANGELOG.md" and "template" not in path.parts  # tests/cli/test_new_game.py is about the template
)
_PROGRAMS = r"arbiter|make|pipx?|uvx|\.venv/\S+|pytest|dask|curl|git|python3?|node|rm|cp|mv|mkdir|cd|sh|bash|sudo|docker|ssh|openssl|mkdocs|cargo|wget"
_COMMAND = re.compile(rf"\$ |(?:{_PROGRAMS}) |(?:pytest|make)$|\./\w|export [A-Z]+=")
"""How a line in a block without a language starts if it is a command."""
_SHELL = {"sh", "bash", "shell", "console"}
_NOT_CODE = {"", "text", "json", "markdown", *_SHELL}


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code on a page."""

    language: str
    """The word behind the fence; empty for an indented block and for a fence without one."""
    lines: tuple[str, ...]

    @property
    def is_program(self) -> bool:
        """Whether it is a program or a file in a language, not commands or data."""
        return self.language not in _NOT_CODE


def text_of(page: str) -> str:
    """Return the text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a page: between fences, or indented by four blanks or more after an empty line."""
    lines = iter(text.splitlines())
    before, indented = "", list[str]()
    for line in lines:
        if line.startswith("    ") and (indented or not before.strip()):
            indented.append(line.strip())
        elif indented and line.strip():
            yield Block("", tuple(indented))
            indented = []
        if line.startswith("```"):
            body = list(iter(lambda: next(lines), "```"))
            yield Block(line[3:].split(" ")[0], tuple(body))
        before = line
    if indented:
        yield Block("", tuple(indented))


def commands(text: str) -> list[str]:
    """Return the command lines of a page without their remarks. A line with an ellipsis shows a form, and is none."""
    found = []
    for block in blocks(text):
        for line in block.lines:
            shown = _SHELL & {block.language} and block.language != "console" and line.strip()
            if not block.is_program and "…" not in line and (shown or _COMMAND.match(line)):
                found.append(_without_remark(line.removeprefix("$ ")))
    return found


def _without_remark(line: str) -> str:
    """A remark stands behind a number sign, or several blanks behind the command."""
    return re.split(r"\s+#\s|\s{2,}", line)[0].strip()
