"""``arbiter show --stderr-log``: what the agents of a saved game printed on standard error."""

from __future__ import annotations

import click

from arbiter.cli import common
from arbiter.errors import UserError
from arbiter.records.reader import Record
from arbiter.records.stderr_log import log_path, read_stderr_log
from arbiter.text import safe

_LONGEST = 2000


def show_stderr(record: Record, turn: int | None, *, as_json: bool) -> None:
    """Print the log of a game, or what belongs to one turn of it. Raises UserError if there is none."""
    lines = list(read_stderr_log(record.path))
    if not lines:
        raise UserError(
            f"no standard error was kept of {common.display_path(record.path)}: there is no {log_path(record.path).name}; "
            "play with --log all to keep everything"
        )
    if turn is not None:
        lines = [line for line in lines if line.turn == turn]
    if as_json:
        from arbiter.cli.documents import ShownStderr

        common.print_json(ShownStderr(record=str(record.path), stderr=lines))
        return
    names = dict(enumerate(record.names))
    for line in lines:
        when = f"turn {line.turn}" if line.turn else "after the last turn"
        name = safe(names.get(line.seat, f"seat {line.seat}"), 40)
        click.echo(click.style(f"{when}, {name}{' (the beginning was left out)' if line.cut else ''}", bold=True))
        for text in line.text.splitlines():
            click.echo(f"    {safe(text, _LONGEST)}")
    if not lines:
        click.echo(f"no standard error of turn {turn} was kept")
