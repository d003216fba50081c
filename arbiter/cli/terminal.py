"""What the terminal is like: its width, its colours, and a line of progress that is written over."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap

import click

NARROWEST = 40
"""The width in columns below which nothing is fitted any further."""


def width() -> int | None:
    """Return the columns that tables and texts should fit; None if standard output is no terminal and none are given.

    The variable COLUMNS gives them, for output that goes through a pager: ``COLUMNS=$COLUMNS arbiter show … | less``.
    """
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS", "").isdecimal():
        return None
    return max(NARROWEST, shutil.get_terminal_size().columns)


def no_colour() -> bool:
    """Return whether the user wants no colours, for libraries that do not ask click."""
    context = click.get_current_context(silent=True)
    return context is not None and context.color is False


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
