"""Saved games as a table for people: a line a game, and below it what was said in it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

import click

from arbiter.cli import common
from arbiter.records.archive.kibitz import Remark, fold
from arbiter.records.archive.query import Query
from arbiter.records.archive.saved_game import SavedGame
from arbiter.records.archive.search import Found
from arbiter.units import show_duration

SHOWN_REMARKS = 3
"""Lines of kibitz shown of a game."""
_BEFORE = 60
"""Letters shown of a long line before the text that was looked for."""


def table(games: Sequence[SavedGame], said: Sequence[Sequence[Remark]], query: Query) -> str:
    """The table. Where it is too wide for the terminal, records stand below their games."""
    heads = ["when (UTC)", "game", "players", "turns", *(["took"] if query.sort == "duration" else []), "faults"]
    rows = [_row(game, took=query.sort == "duration") for game in games]
    records = [common.safe(common.display_path(game.record), 500) for game in games]
    below = [_remarks(game, remarks, query) for game, remarks in zip(games, said, strict=True)]
    figures = range(3, len(heads) - 1)
    wide = [[*row, record] for row, record in zip(rows, records, strict=True)]
    text = common.table(wide, [*heads, "record"], figures)
    if sys.stdout.isatty() and _width(text) > shutil.get_terminal_size().columns:
        text = common.table(rows, heads, figures)
        below = [[click.style(record, dim=True), *lines] for record, lines in zip(records, below, strict=True)]
    *top, first = text.split("\n", 2)
    lines = [*top]
    for line, more in zip(first.split("\n"), below, strict=True):
        lines += [line, *(f"      {each}" for each in more)]
    return "\n".join(lines)


def footer(found: Found, said: Sequence[Sequence[Remark]]) -> str:
    """What was left out, and what to type to look at the first game."""
    game, remarks = found.games[0], said[0]
    turn = f" --turn {remarks[0].turn}" if remarks and remarks[0].turn is not None else ""
    look = f"look     {common.this_command()} show {common.quoted_path(game.record)}{turn}"
    left_out = found.total - len(found.games)
    if not left_out:
        return f"\n{look}"
    note = click.style(f"{len(found.games)} of {found.total} games; --limit 0 lists them all", dim=True)
    return f"\n{note}\n{look}"


def _row(game: SavedGame, *, took: bool) -> list[str]:
    duration = "-" if game.duration_us is None else show_duration(game.duration_us * 1000)
    return [
        common.safe(game.started[:16].replace("T", " ")),
        common.safe(game.protocol, 20),
        _players(game),
        str(game.turns),
        *([duration] if took else []),
        _faults(game),
    ]


def _players(game: SavedGame) -> str:
    names = [common.safe(name, 24) for name in game.seats]
    if not game.finished:
        return f"{', '.join(names)}: {click.style('unfinished', fg='yellow')}"
    shown = []
    for name, rank, score in zip(names, game.ranks, game.scores, strict=True):
        marked = click.style(f"{name}*", bold=True) if rank == 1 else name
        shown.append(f"{marked} {common.number(score)}")
    return ", ".join(shown)


def _faults(game: SavedGame) -> str:
    made = [
        f"{name} {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"
        for name, kinds in zip(game.seats, game.faults, strict=True)
        if kinds
    ]
    return click.style(common.safe("; ".join(made), 48), fg="red") if made else "-"


def _remarks(game: SavedGame, remarks: Sequence[Remark], query: Query) -> list[str]:
    shown = [_remark(game, remark, query.kibitz or "") for remark in remarks[:SHOWN_REMARKS]]
    if len(remarks) > SHOWN_REMARKS:
        shown.append(click.style(f"… and {common.count(len(remarks) - SHOWN_REMARKS, 'more line')}", dim=True))
    return shown


def _remark(game: SavedGame, remark: Remark, wanted: str) -> str:
    when = "afterwards" if remark.turn is None else f"turn {remark.turn}"
    start = max(0, fold(remark.text).find(fold(wanted)) - _BEFORE)
    text = f"…{remark.text[start:]}" if start else remark.text
    return f"{when}, {common.safe(game.seats[remark.seat], 24)}: {common.safe(text)}"


def _width(text: str) -> int:
    return max(len(line) for line in click.unstyle(text).split("\n"))
