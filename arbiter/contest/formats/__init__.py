"""Output formats for the result of a contest: each is a function from the report to text, in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from arbiter.contest.report import Report

Formatter = Callable[[Report], str]
_FUNCTIONS = {
    "text": "text:text",
    "json": "json:json",
    "csv": "csv:standings",
    "csv-games": "csv:games",
    "csv-crosstable": "csv:crosstable",
    "markdown": "markdown:markdown",
    "html": "html:html",
}
"""For every name that ``--format`` accepts, the module in this package and the function in it."""
FORMATS = tuple(_FUNCTIONS)


def formatter(name: str) -> Formatter:
    """Return the function for a format. Only its own module is imported."""
    module, function = _FUNCTIONS[name].split(":")
    found: Formatter = getattr(import_module(f"{__name__}.{module}"), function)
    return found
