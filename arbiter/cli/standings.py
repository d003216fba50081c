"""``arbiter standings``: how a contest stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arbiter.cli import contest_options
from arbiter.cli.run import find
from arbiter.contest.file import load
from arbiter.contest.runner import look


@click.command("standings")
@click.argument("contest", type=click.Path(path_type=Path))
@click.option("--save", type=click.Path(path_type=Path, file_okay=False), help="Folder for contests.")
@contest_options.shown
def command(contest: Path, save: Path | None, **asked: Any) -> None:
    """Show how CONTEST stands, from its saved games: a match file, or the folder of a contest.

    \b
    arbiter standings matches/games/splendor-cup
    arbiter standings matches/games/splendor-cup --format html --output cup.html
    """
    loaded = load(find(contest), save=save, to_look=True)
    contest_options.tell(loaded, look(loaded), asked)
