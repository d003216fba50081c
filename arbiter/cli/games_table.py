"""The table of ``arbiter games``: one row per game, followed by the kibitz lines that were searched for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from arbiter.cli import common
from arbiter.config.workspace import Workspace
from arbiter.records.addresses import address_of, short_address
from arbiter.records.search.folder import Found
from arbiter.records.search.kibitz import Remark, fold
from arbiter.records.search.query import Query
from arbiter.records.summary import GameSummary
from arbiter.seat_names import LONGEST_NAME
from arbiter.text import count, cut, fitted, format_number, format_table, safe, terminal_width, widest
from arbiter.units import show_duration

SHOWN_REMARKS = 3
"""The most kibitz lines shown per game."""
_MARGIN = 6
"""Blanks before the lines below a row."""
_CONTEXT = 60
"""Characters shown before the match in a long line."""


def games_table(games: Sequence[GameSummary], remarks: Sequence[Sequence[Remark]], query: Query) -> str:
    """Format the table, a line for each game and the kibitz lines that were searched for below it.

    In a terminal too narrow for the whole of it, games have their shortest address in place of date and file, and agents
    and faults are cut.
    """
    with_duration = query.sort == "duration"
    headers = [
        "started (UTC)",
        "protocol",
        "agents",
        "turns",
        *(["duration"] if with_duration else []),
        "faults",
        "record",
    ]
    rows = [[*_row(game, with_duration=with_duration), safe(common.display_path(game.record), 500)] for game in games]
    text, width = format_table(rows, headers, range(3, len(headers) - 2)), terminal_width()
    if sys.stdout.isatty() and widest(text) > width:
        saved = Workspace().games.absolute()
        addresses = (safe(short_address(Path(game.record), saved), 500) for game in games)
        rows = [[address, *map(click.unstyle, row[1:-1])] for address, row in zip(addresses, rows, strict=True)]
        headers = ["game", *headers[1:-1]]
        if len({game.protocol for game in games}) == 1:
            headers, rows = [headers[0], *headers[2:]], [[row[0], *row[2:]] for row in rows]
        last = len(headers) - 1
        right = [at for at, name in enumerate(headers) if name in ("turns", "duration")]
        text = fitted(rows, headers, right, width=width, shorten=(last, headers.index("agents"), 0))
    *header_lines, body = text.split("\n", 2)
    lines = [*header_lines]
    for line, more in zip(
        body.split("\n"), (_remarks(*each, query) for each in zip(games, remarks, strict=True)), strict=True
    ):
        lines += [line, *(" " * _MARGIN + each for each in more)]
    return "\n".join(lines)


def footer(found: Found, remarks: Sequence[Sequence[Remark]]) -> str:
    """Say how many games were left out, and what to type to look at the first game."""
    game, first = found.games[0], remarks[0]
    turn = f" --turn {first[0].turn}" if first and first[0].turn is not None else ""
    look = f"look     {common.this_command()} show {address_of(game.record)}{turn}"
    notes = ["* first place"] if any(1 in game.ranks for game in found.games) else []
    if found.total > len(found.games):
        notes.append(f"{len(found.games)} of {found.total} games; -n 0 lists them all")
    return "\n".join(["", *([click.style("; ".join(notes), dim=True)] if notes else []), look])


def _row(game: GameSummary, *, with_duration: bool) -> list[str]:
    duration = "-" if game.duration_us is None else show_duration(game.duration_us * 1000)
    return [
        safe(game.started[:16].replace("T", " ")),
        safe(game.protocol, 20),
        _agents(game),
        str(game.turns),
        *([duration] if with_duration else []),
        _faults(game),
    ]


def _agents(game: GameSummary) -> str:
    names = [cut(safe(name), LONGEST_NAME) for name in game.seats]
    if not game.finished:
        return f"{', '.join(names)}: {click.style('unfinished', fg='yellow')}"
    shown = []
    for name, rank, score in zip(names, game.ranks, game.scores, strict=True):
        marked = click.style(f"{name}*", bold=True) if rank == 1 else name
        shown.append(f"{marked} {format_number(score)}")
    return ", ".join(shown)


def _faults(game: GameSummary) -> str:
    by_agent = [
        f"{cut(name, LONGEST_NAME)} {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"
        for name, kinds in zip(game.seats, game.fault_counts(), strict=True)
        if kinds
    ]
    return click.style(safe("; ".join(by_agent), 48), fg="red") if by_agent else "-"


def _remarks(game: GameSummary, remarks: Sequence[Remark], query: Query) -> list[str]:
    shown = [_remark(game, remark, query.kibitz or "") for remark in remarks[:SHOWN_REMARKS]]
    if len(remarks) > SHOWN_REMARKS:
        shown.append(click.style(f"… and {count(len(remarks) - SHOWN_REMARKS, 'more line')}", dim=True))
    return shown


def _remark(game: GameSummary, remark: Remark, wanted: str) -> str:
    when = "after the game" if remark.turn is None else f"turn {remark.turn}"
    start = max(0, fold(remark.text).find(fold(wanted)) - _CONTEXT)
    text = f"…{remark.text[start:]}" if start else remark.text
    return f"{when}, {safe(game.seats[remark.seat], 24)}: {safe(text)}"
