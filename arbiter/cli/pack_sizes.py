"""``arbiter pack --sizes``: what each column of the archives in a folder costs."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter.cli import common
from arbiter.cli.pack import folders
from arbiter.contest.statistics.numbers import percent
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.text import count, format_table


def show_sizes(folder: Path, *, as_json: bool) -> None:
    """Print the compressed size of every column, per game. Raises UserError if nothing is packed."""
    archives = [at_rest.opened(path) for inner in folders(folder) for path in at_rest.archives(inner)]
    games = sum(map(len, archives))
    if not games:
        raise UserError(f"no packed games in {str(folder)!r}; 'arbiter pack' packs them")
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
