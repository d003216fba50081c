"""Find the main class of a Java source without a Java parser."""

from __future__ import annotations

import re

_COMMENT_OR_LITERAL = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_TYPE = re.compile(r"(\bpublic\s+)?(?:\b(?:final|abstract|strictfp|static)\s+)*\b(?:class|record|enum)\s+(\w+)")
_MAIN = re.compile(r"\bstatic\s+(?:final\s+)?void\s+main\s*\(")


def main_class(source: str) -> str | None:
    """Return the class that a Java file must be named after: the public one, or the one with the main method."""
    code = _COMMENT_OR_LITERAL.sub(" ", source)
    package = re.search(r"\bpackage\s+([\w.]+)\s*;", code)
    outermost = [found for found in _TYPE.finditer(code) if _depth(code, found.start()) == 0]
    main = _MAIN.search(code)
    public = next((found.group(2) for found in outermost if found.group(1)), None)
    holding_main = [found.group(2) for found in outermost if main and found.start() < main.start()]
    name = public or (holding_main[-1] if holding_main else None)
    return f"{package.group(1)}.{name}" if package and name else name


def _depth(code: str, position: int) -> int:
    return code.count("{", 0, position) - code.count("}", 0, position)
