"""Properties of the terminal: its width, its colours, and a line of progress that is overwritten."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

import click

NARROWEST = 40
"""The width in columns below which nothing is fitted any further."""


def width() -> int | None:
    """Return the columns that tables and texts should fit; None if the output is not for a terminal.

    With ``--color always`` it goes to a terminal through a pager, whose width standard error tells.
    """
    if sys.stdout.isatty():
        return max(NARROWEST, shutil.get_terminal_size().columns)
    context = click.get_current_context(silent=True)
    if context is not None and context.color and sys.stderr.isatty():
        return max(NARROWEST, os.get_terminal_size(sys.stderr.fileno()).columns)
    return None


def no_colour() -> bool:
    """Return whether the user wants no colours, for libraries that do not ask click."""
    context = click.get_current_context(silent=True)
    return context is not None and context.color is False


def hanging(label: str, text: str, indent: int) -> str:
    """Return a label in ``indent`` columns and a text behind it, which is wrapped if the output is for a terminal."""
    columns, start = width(), label + " " * (indent - len(click.unstyle(label)))
    if columns is None:
        return start + text
    rows = textwrap.wrap(text, columns - indent, break_on_hyphens=False, break_long_words=False)
    return start + ("\n" + " " * indent).join(rows)


def note(text: str, **style: object) -> None:
    """Print a remark on standard error, wrapped if that is a terminal."""
    lines = text.splitlines() or [""]
    if sys.stderr.isatty():
        columns = max(NARROWEST, shutil.get_terminal_size().columns)
        wrapped = (textwrap.wrap(line, columns, subsequent_indent="  ", break_on_hyphens=False) for line in lines)
        lines = [row for rows in wrapped for row in rows or [""]]
    click.echo(click.style("\n".join(lines), **style) if style else "\n".join(lines), err=True)  # type: ignore[arg-type]


def progress(text: str) -> None:
    """Show a line of progress on standard error in place of the last one; an empty text removes it.

    Not through click, which would strip the control sequence together with the colours.
    """
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
