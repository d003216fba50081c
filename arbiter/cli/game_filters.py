"""The conditions by which commands select saved games: the same options in all of them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from arbiter.cli import completing
from arbiter.cli import options as shared_options
from arbiter.cli.grouped_help import CONDITIONS, headed_option
from arbiter.cli.values import Choice
from arbiter.config.workspace import Workspace, bundled
from arbiter.errors import UserError
from arbiter.game import FaultKind
from arbiter.records.search.moments import asked_us
from arbiter.records.search.query import ANY_FAULT, Query

_KINDS = {kind.replace(" ", "-"): str(kind) for kind in FaultKind}


def _agent_option(option: str, text: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    return headed_option(
        CONDITIONS,
        *option.split(),
        multiple=True,
        metavar="AGENT",
        shell_complete=completing.recorded_agents,
        help=f"{text} Repeatable.",
    )


_OPTIONS = (
    _agent_option(
        "--agent -a agents",
        "Games that this agent played. With --fault or --kibitz, only its own faults and kibitz count.",
    ),
    _agent_option("--won", "Games that this agent won."),
    shared_options.shared("lost", ". Repeatable.", heading=CONDITIONS),
    headed_option(
        CONDITIONS,
        "--protocol",
        "-p",
        metavar="PROTOCOL",
        shell_complete=completing.protocols,
        help="Games of this protocol.",
    ),
    headed_option(
        CONDITIONS,
        "--fault",
        "faults",
        multiple=True,
        metavar="KIND",
        type=Choice([ANY_FAULT, *_KINDS]),
        help=f"Games with a fault of this kind: any, {', '.join(_KINDS)}. Repeatable: a fault of any of these kinds.",
    ),
    headed_option(
        CONDITIONS,
        "--since",
        metavar="TIME",
        help="Games started then or later: a date (2026-11-01), a UTC time (2026-11-01T18:30) or an age (2h, 7d).",
    ),
    shared_options.shared("before", heading=CONDITIONS),
    shared_options.shared("seed", " to find.", heading=CONDITIONS),
    headed_option(CONDITIONS, "--kibitz", metavar="TEXT", help="Games with this text in a kibitz line, ignoring case."),
)


def options(command: click.decorators.FC) -> click.decorators.FC:
    """Add the conditions to a command, which passes them on to :func:`query_from_options`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def folder_to_search(named: Path | None) -> Path:
    """Return the folder to search: the one named, here or among the bundled files, or the default."""
    if named is None:
        return Workspace().games
    folder = named if os.path.lexists(named) else bundled() / named
    if not os.path.isdir(folder):  # noqa: PTH112
        if os.path.lexists(folder):
            raise UserError(f"{str(named)!r} is not a folder; use 'arbiter show' to look at a single game")
        raise UserError(f"folder {str(named)!r} does not exist; give a folder of saved games")
    return folder


def query_from_options(asked: dict[str, Any], limit: int | None = None) -> Query:
    """Return the query for the values of the options."""
    since, before = asked.pop("since"), asked.pop("before")
    faults = tuple(_KINDS.get(kind, kind) for kind in asked.pop("faults"))
    return Query(
        **{name: _as_recorded(value) for name, value in asked.items()},
        faults=faults,
        since_us=asked_us(since, time.time_ns() // 1000, what="--since") if since is not None else None,
        until_us=until_us(before),
        limit=limit or None,
    )


def until_us(before: str | None) -> int | None:
    """Return the last microsecond before the time that ``--before`` names. Raises UserError."""
    return asked_us(before, time.time_ns() // 1000, what="--before") - 1 if before is not None else None


def _as_recorded(value: Any) -> Any:
    """Replace bytes that are not UTF-8 in what was typed, as records do with names."""
    if isinstance(value, tuple):
        return tuple(map(_as_recorded, value))
    return value.encode(errors="surrogateescape").decode(errors="replace") if isinstance(value, str) else value
