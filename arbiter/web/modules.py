"""ES modules as one script: each becomes a function, in the order of their imports.

That is what works everywhere: in a page from disk, which may not load other files, and in any version of Node.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from arbiter.errors import UserError
from arbiter.web.drawings import SHAPES, drawing_parts

_IMPORT = re.compile(r'^import (?P<names>\{[^}]*\}|\* as \w+) from "\./(?P<file>[\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|function\*?|class) (?P<name>\w+))", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
HEAD = "const modules = {};\n"
"""Declares what the scripts fill: the exports of every module by its file name."""


def script_of(entries: Sequence[str], files: Mapping[str, Path]) -> str:
    """Return modules and everything they import, all found by name in ``files``, as one script. Raises UserError."""
    texts: dict[str, str] = {}

    def add(name: str) -> None:
        if name in texts:
            return
        text = files[name].read_text(encoding="utf-8")
        for found in _IMPORT.finditer(text):
            if found["file"] not in files:
                raise UserError(f"{files[name]}: imports {found['file']}, which is not one of {', '.join(files)}")
            add(found["file"])
        texts[name] = _as_function(name, text, files[name])

    for name in entries:
        add(name)
    return "".join(texts.values())


def drawing_script(drawing: Path | None) -> str:
    """Return the drawing of a protocol, with the helpers that all drawings share; nothing for None. Raises UserError."""
    if drawing is None:
        return ""
    return script_of([SHAPES.name], {SHAPES.name: SHAPES}) + script_of([drawing.name], drawing_parts(drawing))


def _as_function(name: str, text: str, path: Path) -> str:
    """Wrap a module: its imports become constants, its exports the members of what the function returns."""

    def imported(found: re.Match[str]) -> str:
        names = found["names"].replace("* as ", "").replace(" as ", ": ")
        return f'const {names} = modules["{found["file"]}"];\n'

    exported = [found["name"] for found in _EXPORT.finditer(text)]
    body = _EXPORT.sub("", _IMPORT.sub(imported, text))
    if wrong := _LEFT_OVER.search(body):
        raise UserError(
            f'{path}: cannot read {wrong[0][:80]!r}; write import {{ a, b }} from "./FILE.js"; and export const, let, '
            "function or class"
        )
    return f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {", ".join(exported)} }};\n}})();\n'
