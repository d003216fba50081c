"""The messages of the code, as templates: what a user may see, with a mark where a value is put in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.tools import ROOT

VALUE = "\0"
"""Stands for a value in a template."""


@cache
def templates() -> frozenset[str]:
    """Return every string of the arbiter's code, each in one piece; docstrings are none."""
    return frozenset(
        text
        for path in (ROOT / "arbiter").rglob("*.py")
        for text in _strings(ast.parse(path.read_text(encoding="utf-8")))
    )


def _strings(tree: ast.Module) -> Iterator[str]:
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else VALUE for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def sentences(path: Path) -> list[str]:
    """Return the templates in a file that are whole sentences: they are long, and begin with a small letter or a value."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parts = {
        str(part.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
        if isinstance(part, ast.Constant)
    }
    whole = [text for text in _strings(tree) if text not in parts]
    return [text for text in whole if len(text.split()) > 6 and re.match(f"[a-z{VALUE}]", text)]


def matches(shown: str, template: str) -> bool:
    """Whether a text is, or is part of, a template; an ellipsis in it stands for a value, and words around that."""
    return _pattern(shown).search(template) is not None


@cache
def _pattern(shown: str) -> re.Pattern[str]:
    parts = map(re.escape, shown.split("…"))
    return re.compile(f".*?{VALUE}.*?".join(part.replace(r"\ ", " ") for part in parts), re.DOTALL)


def is_a_message(shown: str) -> bool:
    """Whether a text matches any template of the code."""
    return any(matches(shown, template) for template in templates())
