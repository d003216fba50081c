"""``arbiter archive pack --sizes``: what each column of the archives in a folder costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arbiter.cli import common
from arbiter.cli.left_out import report_left_out
from arbiter.cli.pack import folders
from arbiter.contest.statistics.wording import percent
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.text import count, format_table

if TYPE_CHECKING:
    from arbiter.records.packed.archive import Archive


def show_sizes(folder: Path, *, as_json: bool) -> None:
    """Print the compressed size of every column, per game. Raises UserError if nothing is packed."""
    damaged: list[UnreadableArchive] = []
    found = (path for inner in folders(folder) for path in at_rest.archives(inner))
    archives = list(at_rest.readable(found, damaged))
    games = sum(map(len, archives))
    if not games and not damaged:
        raise UserError(f"no packed games in {str(folder)!r}; 'arbiter archive pack' packs them")
    if games:
        _print(archives, games, as_json=as_json)
    report_left_out(damaged)


def _print(archives: Sequence[Archive], games: int, *, as_json: bool) -> None:
    columns: dict[str, int] = {}
    for archive in archives:
        for name, size in archive.sizes().items():
            columns[name] = columns.get(name, 0) + size
    total = sum(archive.path.stat().st_size for archive in archives)
    columns["(file structure)"] = total - sum(columns.values())
    if as_json:
        from arbiter.cli.documents import PackedSizes

        common.print_json(PackedSizes(games=games, bytes=total, columns=columns))
        return
    rows = [
        (name, f"{size:,}", f"{size / games:.1f}", percent(size / total, 1))
        for name, size in sorted(columns.items(), key=lambda each: -each[1])
    ]
    rows.append(("all", f"{total:,}", f"{total / games:.1f}", "100 %"))
    click.echo(format_table(rows, ("column", "bytes", "bytes per game", "share"), (1, 2, 3)))
    click.echo(f"\n{count(games, 'packed game')}")
