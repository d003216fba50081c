"""Find the main class of a Java source without a Java parser, in time proportional to its length."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A string or comment that is not closed ends with the line or the file: searching for its end from every start would take
# quadratic time.
_COMMENT_OR_LITERAL = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?", re.DOTALL)
_MAIN = re.compile(r"\bstatic\s+(?:final\s+)?void\s+main\s*\(")
_MODIFIERS = frozenset(("public", "final", "abstract", "strictfp", "static"))
_KINDS = frozenset(("class", "record", "enum"))


def main_class(source: str) -> str | None:
    """Return the class that a Java file must be named after: the public one, or the one with the main method."""
    code = _COMMENT_OR_LITERAL.sub(" ", source)
    package = re.search(r"\bpackage\s+([\w.]+)\s*;", code)
    outermost = list(_outermost_types(code))
    main = _MAIN.search(code)
    holding_main = [name for name, start, _ in outermost if main and start < main.start()]
    name = public_class(source) or (holding_main[-1] if holding_main else None)
    return f"{package.group(1)}.{name}" if package and name else name


def public_class(source: str) -> str | None:
    """Return the public class, which must have the name of its file."""
    code = _COMMENT_OR_LITERAL.sub(" ", source)
    return next((name for name, _, is_public in _outermost_types(code) if is_public), None)


def _outermost_types(code: str) -> Iterator[tuple[str, int, bool]]:
    """Yield the outermost types: name, position, and whether it is public."""
    depth, is_public, kind = 0, False, ""
    for found in re.finditer(r"\w+|[^\w\s]", code):
        word = found.group()
        if kind and word.isidentifier():
            yield word, found.start(), is_public
        kind = word if word in _KINDS and depth == 0 else ""
        is_public = word == "public" or (is_public and (word in _MODIFIERS or bool(kind)))
        depth += (word == "{") - (word == "}")
