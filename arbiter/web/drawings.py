"""What pages show of a protocol's folder: ``drawing.js``, a module that turns a position into SVG, and ``README.md``, the rules.

The drawing may import others that lie beside it and are called ``drawing-….js``; nothing else of the folder is ever sent to a page.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from arbiter.game import Protocol

FILE = "drawing.js"
STATIC = Path(__file__).resolve().parent / "static"
"""The files of the page."""
SHAPES = STATIC / "shapes.js"
"""The helpers that all drawings share."""
_PART = re.compile(r"drawing-[a-z0-9_-]+\.js")


def drawing_of(protocol: Protocol) -> Path | None:
    """Return the path of a protocol's drawing; None if it has none, so that its terminal board is shown."""
    return _file_of(protocol, FILE)


def rules_of(protocol: Protocol) -> Path | None:
    """Return the path of the rules of a protocol's game; None if there is no such file."""
    return _file_of(protocol, "README.md")


def _file_of(protocol: Protocol, name: str) -> Path | None:
    try:
        path = Path(inspect.getfile(type(protocol))).resolve().parent / name
    except (OSError, TypeError):  # a class without a file: made in an interactive session or in a test
        return None
    return path if path.is_file() else None


def drawing_parts(drawing: Path) -> dict[str, Path]:
    """Return the modules of a drawing by file name: itself, and those beside it that it may import."""
    beside = (path for path in sorted(drawing.parent.iterdir()) if _PART.fullmatch(path.name) and path.is_file())
    return {drawing.name: drawing, **{path.name: path for path in beside}}
