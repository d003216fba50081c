"""The table of options that several commands have: each flag means one thing everywhere.

A command takes its options from here with :func:`shared`, which adds to the help what is particular to the command. Its
own options use other flags: a test fails for a flag that two commands declare differently. The options that say how
games are played come from :mod:`arbiter.cli.game_options`, the same for all commands that play.

Names that are taken: ``--limit`` (``-l``) is a limit of agents, never a number of rows; ``--output`` is a file;
``--until`` is a question that ends a contest, while a time is ``--before`` and a turn ``--up-to``; ``--lost`` names an
agent. ``-s`` is a seed and never a seat, ``-k`` a kind of contest and never kibitz.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from arbiter.cli import completing
from arbiter.cli.grouped_help import OWN, Heading, headed_option
from arbiter.cli.values import TurnNumber, WholeNumber


class SharedOption(msgspec.Struct, frozen=True):
    """An option that more than one command has."""

    flags: tuple[str, ...]
    meaning: str
    """How the help begins in every command."""
    settings: Mapping[str, Any] = msgspec.field(default_factory=dict)
    """Further arguments of ``click.option``."""


TABLE: Mapping[str, SharedOption] = {
    "games": SharedOption(("--games", "-n"), "Number of games", {"metavar": "N", "type": WholeNumber(1)}),
    "seed": SharedOption(("--seed", "-s"), "Seed of the game", {"metavar": "N", "type": WholeNumber(0)}),
    "save": SharedOption(
        ("--save",),
        "Folder for saved games",
        {"type": click.Path(path_type=Path, file_okay=False), "metavar": "FOLDER"},
    ),
    "turn": SharedOption(("--turn", "-t"), "Only turn N (or round:N, ply:N)", {"metavar": "N", "type": TurnNumber(0)}),
    "seat": SharedOption(
        ("--seat",), "Only this seat, numbered as in the game", {"metavar": "N", "type": WholeNumber(0)}
    ),
    "as": SharedOption(("--as", "name"), "Only the agent with this name in the game", {"metavar": "NAME"}),
    "output": SharedOption(
        ("--output",),
        "Write the result to this file",
        {"type": click.Path(path_type=Path, dir_okay=False), "metavar": "FILE"},
    ),
    "workers": SharedOption(
        ("--workers", "-w"), "Games played at the same time", {"metavar": "N", "type": WholeNumber(1)}
    ),
    "host": SharedOption(("--host",), "Address to serve on", {"metavar": "ADDRESS", "default": "127.0.0.1"}),
    "port": SharedOption(("--port",), "Port to serve on", {"metavar": "N", "type": WholeNumber(0, 65535)}),
    "join_time": SharedOption(
        ("--join-time",), "Time to join after the first team", {"metavar": "TIME", "default": "60s"}
    ),
    "allowance": SharedOption(
        ("--allowance",), "Time for the network, added to every time limit", {"metavar": "TIME", "default": "0ms"}
    ),
    "lost": SharedOption(
        ("--lost",),
        "Games that this agent lost",
        {"metavar": "AGENT", "shell_complete": completing.recorded_agents, "multiple": True},
    ),
    "before": SharedOption(
        ("--before",), "Games started before then; a date is the start of that day", {"metavar": "TIME"}
    ),
    "watch": SharedOption(("--watch", "in_browser"), "Follow the games in the browser", {"is_flag": True}),
    "changed": SharedOption(
        ("--changed",),
        "What to do with games so far if an agent's program has changed, or the sandbox is weaker",
        {"default": "refuse"},
    ),
    "tls": SharedOption(
        ("--tls",),
        "Encrypt with the certificates in this folder: ca.pem, cert.pem and key.pem",
        {"type": click.Path(path_type=Path, file_okay=False, exists=True), "metavar": "FOLDER"},
    ),
    "format": SharedOption(("--format", "-f", "format_name"), "Format of the result", {"default": "text"}),
    "json": SharedOption(("--json", "as_json"), "Print one JSON document and nothing else", {"is_flag": True}),
    "verbose": SharedOption(("--verbose", "-v"), "Print more", {"is_flag": True}),
    "quiet": SharedOption(("--quiet", "-q"), "Print less", {"is_flag": True}),
}


def shared(
    name: str, more: str = ".", *, heading: Heading = OWN, **settings: Any
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return the option of the table as a decorator; its help goes on with ``more``, under ``heading``."""
    row = TABLE[name]
    return headed_option(heading, *row.flags, help=row.meaning + more, **{**row.settings, **settings})
