"""Helpers shared by the commands: tables, JSON output, paths to type."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
import msgspec

from arbiter import text as texts
from arbiter.cli import options, terminal
from arbiter.text import format_table

json_option = options.shared("json")
display_path = texts.display_path

_MOST_SEED = 10**8
NARROWEST = 12
"""The width in characters below which a column is not wrapped any further."""


def fitted_table(rows: Iterable[Sequence[object]], headers: Sequence[str], right: Iterable[int] = ()) -> str:
    """Format a table; on a terminal that is too narrow for it, wrap the text of the last column."""
    cells = [[str(cell) for cell in row] for row in rows]
    text = format_table(cells, headers, right)
    columns = terminal.width()
    too_wide = max(map(len, click.unstyle(text).splitlines())) - columns if columns else 0
    if too_wide <= 0:
        return text
    longest = max(len(cell) for cell in (headers[-1], *(row[-1] for row in cells)))
    width = max(NARROWEST, longest - too_wide)
    return format_table([[*row[:-1], textwrap.fill(row[-1], width)] for row in cells], headers, right)


def print_json(document: object) -> None:
    """Print the single document of ``--json``."""
    click.echo(json_text(document))


def json_text(document: object) -> str:
    """Return a document as JSON for people and programs."""
    try:
        return msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    except UnicodeEncodeError:  # a file name that is not UTF-8: the escapes of json.dumps keep its bytes
        import json

        return json.dumps(msgspec.to_builtins(document), indent=2)


def quoted_path(path: str | Path) -> str:
    """Return a path as :func:`display_path` does, quoted for a shell."""
    import shlex

    return shlex.quote(display_path(path))


def this_command() -> str:
    """Return what to type to run this arbiter: ``arbiter`` if the shell would find this one, else its path."""
    started = Path(sys.argv[0])
    found = shutil.which("arbiter")
    if started.name != "arbiter":
        return f"{quoted_path(sys.executable)} -m arbiter"
    return "arbiter" if found and started.exists() and Path(found).samefile(started) else quoted_path(started)


def shown_seed(seed: int | None) -> list[str]:
    """Return what a heading says of a seed: nothing of one with more digits than a person would type.

    The record has all of them, and ``--setup GAME`` plays its deal again.
    """
    return [f"seed {seed}"] if seed is not None and seed < _MOST_SEED else []


def winners(names: Sequence[str], ranks: Sequence[int]) -> str:
    """Name the winners: ``greedy wins``, ``a and b share the win`` or ``nobody wins``."""
    best = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    if not best:
        return "nobody wins"
    return f"{best[0]} wins" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} share the win"
