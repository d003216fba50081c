"""``arbiter annul``: a game of a contest that is not to count."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter.cli import common
from arbiter.contest.file import OWN
from arbiter.contest.ledger import Ledger, locked
from arbiter.errors import UserError


@click.command("annul")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("numbers", nargs=-1, required=True, type=int)
@click.option("--because", required=True, metavar="TEXT", help="Kept with the record.")
def command(folder: Path, numbers: tuple[int, ...], because: str) -> None:
    """Take games of the contest in FOLDER out of it, by NUMBERS. Their records are kept, with the reason; the next
    'arbiter run' plays those games again.

    \b
    arbiter annul matches/games/splendor-cup 37 --because "the machine went to sleep"
    """
    if not (folder / OWN).is_file():
        raise UserError(f"{str(folder)!r} is not the folder of a contest: there is no {OWN} in it")
    with locked(folder):
        ledger = Ledger(folder)
        keys = {number: ledger.find(number) for number in numbers}
        for number, key in keys.items():
            click.echo(
                f"game {number} ({', '.join(key.seats)}) is annulled: {common.display_path(ledger.annul(key, because))}"
            )
    click.echo(f"play anew  {common.this_command()} run {common.quoted_path(folder)}")
