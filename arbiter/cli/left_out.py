"""Archives that a command could not read: one line for each at the end, and exit status 1."""

from __future__ import annotations

from collections.abc import Iterable

import click

from arbiter.cli import terminal
from arbiter.errors import EXIT_FOUND
from arbiter.text import safe


def report_left_out(reasons: Iterable[object], what: str = "left out") -> None:
    """Say on standard error what was left out and why, and end the command with status 1 if anything was."""
    lines = list(dict.fromkeys(map(str, reasons)))
    for line in lines:
        terminal.note(f"{what}: {safe(line, 1000)}", fg="yellow")
    if lines:
        raise click.exceptions.Exit(EXIT_FOUND)
