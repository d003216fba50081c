"""``arbiter annul``: take games out of a contest."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter.cli import common
from arbiter.contest.ledger import Ledger, contest_lock
from arbiter.contest.saved_definition import CONTEST_FILE
from arbiter.errors import UserError
from arbiter.records.addresses import number_at


@click.command("annul")
@click.argument("games", nargs=-1, required=True)
@click.option("--because", required=True, metavar="TEXT", help="The reason, which is saved in the record.")
def command(games: tuple[str, ...], because: str) -> None:
    """Annul GAMES of a contest: CONTEST#37, or 37 in its folder.

    Annulled games do not count, and the next 'arbiter run' plays them again. Their records are kept, with the reason.

    \b
    Examples:
      arbiter annul matches/games/cup#37 --because "the machine went to sleep"
      arbiter annul cup#5 cup#6 --because "wrong version"
    """
    by_folder: dict[Path, list[int]] = {}
    for address in games:
        folder, number = number_at(address)
        if not (folder / CONTEST_FILE).is_file():
            raise UserError(f"{str(folder)!r} is not the folder of a contest: it has no {CONTEST_FILE}")
        same = next((known for known in by_folder if known.samefile(folder)), folder)
        by_folder.setdefault(same, []).append(number)
    for folder, numbers in by_folder.items():
        with contest_lock(folder):
            ledger = Ledger(folder)
            found = {number: ledger.find(number) for number in numbers}
            for number, game in found.items():
                path = common.display_path(ledger.annul(game, because))
                click.echo(f"game {number} ({', '.join(game.seats)}) is annulled: {path}")
        click.echo(f"play again  {common.this_command()} run {common.quoted_path(folder)}")
