"""``arbiter annul``: take games out of a contest."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter.cli import common
from arbiter.cli.values import WholeNumber
from arbiter.contest.ledger import Ledger, contest_lock
from arbiter.contest.saved_definition import CONTEST_FILE
from arbiter.errors import UserError


@click.command("annul")
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("numbers", nargs=-1, required=True, type=WholeNumber(1))
@click.option("--because", required=True, metavar="TEXT", help="The reason, which is saved in the record.")
def command(folder: Path, numbers: tuple[int, ...], because: str) -> None:
    """Annul the games with these NUMBERS in the contest in FOLDER.

    Annulled games do not count, and the next 'arbiter run' plays them again. Their records are kept, with the reason.

    \b
    Examples:
      arbiter annul matches/games/cup 37 --because "the machine went to sleep"
      arbiter annul matches/games/cup 5 6 7 --because "wrong version of greedy"
    """
    if not (folder / CONTEST_FILE).is_file():
        raise UserError(f"{str(folder)!r} is not the folder of a contest: it has no {CONTEST_FILE}")
    with contest_lock(folder):
        ledger = Ledger(folder)
        games = {number: ledger.find(number) for number in numbers}
        for number, game in games.items():
            path = common.display_path(ledger.annul(game, because))
            click.echo(f"game {number} ({', '.join(game.seats)}) is annulled: {path}")
    click.echo(f"play again  {common.this_command()} run {common.quoted_path(folder)}")
