"""The shapes a result comes in: each a function from the report to text, in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from arbiter.contest.report import Report

Shape = Callable[[Report], str]
_WHERE = {
    "text": "text:text",
    "json": "json:json",
    "csv": "csv:standings",
    "csv-games": "csv:games",
    "csv-crosstable": "csv:crosstable",
    "markdown": "markdown:markdown",
    "html": "html:html",
}
"""By name for ``--format``: the file beside this one, and the function in it."""
SHAPES = tuple(_WHERE)


def shape(name: str) -> Shape:
    """The function that makes a shape; only that one's file is loaded."""
    module, function = _WHERE[name].split(":")
    found: Shape = getattr(import_module(f"{__name__}.{module}"), function)
    return found
