"""What several commands share: tables, documents, and text from strangers made safe for a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec
from click.shell_completion import CompletionItem

from arbiter.text import count, number, safe, table

__all__ = ["count", "number", "safe", "table"]

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")


def complete_games(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """For the shell: the names of the games."""
    from arbiter import registry
    from arbiter.workspace import Workspace

    return [CompletionItem(name) for name in registry.names(Workspace()) if name.startswith(start)]


def complete_agents(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """For the shell: names of agents for the game on the command line, and files where no name fits."""
    from arbiter.workspace import Workspace

    names = [*Workspace().agents(context.params.get("protocol")), "human"]
    fitting = [CompletionItem(name) for name in names if name.startswith(start)]
    return fitting or [CompletionItem(start, type="file")]


def print_json(document: object) -> None:
    """The one document of ``--json``."""
    try:
        text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    except UnicodeEncodeError:  # a file name that is not UTF-8: escaped, it can be found again
        text = json.dumps(msgspec.to_builtins(document), indent=2)
    click.echo(text)


def display_path(path: str | Path) -> str:
    """A path as short as it can be typed from here."""
    full, here = Path(path).absolute(), Path.cwd()
    return str(full.relative_to(here)) if full.is_relative_to(here) else str(full)


def quoted_path(path: str | Path) -> str:
    """A path to paste into a shell."""
    import shlex

    return shlex.quote(display_path(path))


def this_command() -> str:
    """What to type to run the arbiter again: ``arbiter`` where the shell finds this one, else its path."""
    import shutil
    import sys

    started = Path(sys.argv[0])
    found = shutil.which("arbiter")
    if started.name != "arbiter":
        return f"{quoted_path(sys.executable)} -m arbiter"
    return "arbiter" if found and started.exists() and Path(found).samefile(started) else quoted_path(started)


def winners(names: Sequence[str], ranks: Sequence[int]) -> str:
    """``greedy wins``, ``a and b share the win``, ``nobody wins``."""
    best = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    if not best:
        return "nobody wins"
    return f"{best[0]} wins" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} share the win"
