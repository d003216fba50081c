"""``arbiter standings``: the result of a contest so far."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arbiter.cli import contest_options, options
from arbiter.cli.run import find_match_file
from arbiter.contest.match_file import load_contest
from arbiter.contest.runner import current_result


@click.command("standings")
@click.argument("contest", type=click.Path(path_type=Path))
@options.shared("save", ", as for 'arbiter run'.")
@contest_options.printing
def command(contest: Path, save: Path | None, **asked: Any) -> None:
    """Show the standings of CONTEST, a match file or the folder of a contest, from its saved games.

    \b
    Examples:
      arbiter standings matches/games/splendor-cup
      arbiter standings my-cup.yaml --format html --output cup.html
    """
    loaded = load_contest(find_match_file(contest), save=save, only_look=True)
    contest_options.print_result(loaded, current_result(loaded), asked)
