"""The table of ``arbiter games``: one row per game, followed by the kibitz lines that were searched for."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from arbiter.cli import common
from arbiter.game import wrapped
from arbiter.records.search.folder import Found
from arbiter.records.search.kibitz import Remark, fold
from arbiter.records.search.query import Query
from arbiter.records.summary import GameSummary
from arbiter.seat_names import LONGEST_NAME
from arbiter.text import count, cut, format_number, format_table, safe, terminal_width, widest
from arbiter.units import show_duration

SHOWN_REMARKS = 3
"""The most kibitz lines shown per game."""
_MARGIN = 6
"""Blanks before the lines below a row."""
_CONTEXT = 60
"""Characters shown before the match in a long line."""


def games_table(games: Sequence[GameSummary], remarks: Sequence[Sequence[Remark]], query: Query) -> str:
    """Format the table. If it is too wide for the terminal, the path of each record goes on a line of its own; if it is
    still too wide, as with four agents, so do the agents and the faults. Without a terminal, a game stays on one line."""
    with_duration = query.sort == "duration"
    headers = ["started (UTC)", "protocol", "agents", "turns", *(["duration"] if with_duration else []), "faults"]
    rows = [_row(game, with_duration=with_duration) for game in games]
    records = [safe(common.display_path(game.record), 500) for game in games]
    below = [_remarks(game, each, query) for game, each in zip(games, remarks, strict=True)]
    numeric = range(3, len(headers) - 1)
    wide = [[*row, record] for row, record in zip(rows, records, strict=True)]
    text = format_table(wide, [*headers, "record"], numeric)
    width = terminal_width()
    if sys.stdout.isatty() and widest(text) > width:
        text = format_table(rows, headers, numeric)
        below = [[click.style(record, dim=True), *lines] for record, lines in zip(records, below, strict=True)]
    if sys.stdout.isatty() and widest(text) > width:
        text = format_table([[*row[:2], *row[3:-1]] for row in rows], [*headers[:2], *headers[3:-1]], (2, 3))
        wide = [[*_agent_lines(game, width), *_fault_lines(game, width)] for game in games]
        below = [[*agents, *lines] for agents, lines in zip(wide, below, strict=True)]
    *header_lines, body = text.split("\n", 2)
    lines = [*header_lines]
    for line, more in zip(body.split("\n"), below, strict=True):
        lines += [line, *(" " * _MARGIN + each for each in more)]
    return "\n".join(lines)


def footer(found: Found, remarks: Sequence[Sequence[Remark]]) -> str:
    """Say how many games were left out, and what to type to look at the first game."""
    game, first = found.games[0], remarks[0]
    turn = f" --turn {first[0].turn}" if first and first[0].turn is not None else ""
    look = f"look     {common.this_command()} show {common.quoted_path(game.record)}{turn}"
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


def _agent_lines(game: GameSummary, width: int) -> list[str]:
    """Return the agents on as many lines as they need; in the row of the table there was no room."""
    return wrapped(_agents(game), width - _MARGIN)


def _fault_lines(game: GameSummary, width: int) -> list[str]:
    if not game.faults:
        return []
    return [click.style(line, fg="red") for line in wrapped(f"faults: {click.unstyle(_faults(game))}", width - _MARGIN)]


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
