"""The drawing of a protocol: the module ``drawing.js`` in its folder, which turns a position into SVG."""

from __future__ import annotations

import inspect
from pathlib import Path

from arbiter.game import Protocol

FILE = "drawing.js"
STATIC = Path(__file__).resolve().parent / "static"
"""The files of the page."""


def drawing_of(protocol: Protocol) -> Path | None:
    """Return the path of a protocol's drawing; None if it has none, so that its terminal board is shown."""
    try:
        path = Path(inspect.getfile(type(protocol))).resolve().parent / FILE
    except (OSError, TypeError):  # a class without a file: made in an interactive session or in a test
        return None
    return path if path.is_file() else None
