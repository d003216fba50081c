"""``arbiter standings``: the result of a contest so far, as text or as a document."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter.cli import contest_options, options
from arbiter.cli.run import find_match_file
from arbiter.cli.values import Choice
from arbiter.contest.formats import FORMATS
from arbiter.contest.match_file import load_contest
from arbiter.contest.runner import current_result
from arbiter.errors import UserError


@click.command("standings")
@click.argument("contest", type=click.Path(path_type=Path))
@options.shared("format", ".  [default: text]", type=Choice(FORMATS))
@options.shared("output")
@click.option(
    "--plots",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write plots (SVG) to this folder.",
)
@click.option(
    "--pages",
    is_flag=True,
    help="With --format html --output FILE: write a page for each game, too, and link to it.",
)
@click.option("--follow", is_flag=True, help="Show them again whenever a game ends, until the contest is complete.")
@options.shared("verbose", ": where the deals come from, and the terms.")
@options.shared("json", "; same as --format json.")
def command(
    contest: Path,
    format_name: str,
    output: Path | None,
    plots: Path | None,
    pages: bool,
    follow: bool,
    verbose: bool,
    as_json: bool,
) -> None:
    """Show the standings of CONTEST, a match file or the folder of a contest, from its saved games.

    With --follow, also the games being played; when the output is not a terminal, a line for every game as it ends.

    \b
    Examples:
      arbiter standings matches/games/splendor-cup
      arbiter standings matches/games/splendor-cup --follow
      arbiter standings my-cup.yaml --format html --output cup.html
    """
    if follow:
        if format_name != "text" or as_json or output or plots or pages or verbose:
            raise UserError("--follow shows the standings in this terminal; it cannot be combined with other options")
        from arbiter.cli.follow import follow as show_changes

        show_changes(contest)
        return
    if as_json and format_name not in ("text", "json"):
        raise UserError(f"--json and --format {format_name} cannot be combined; choose one")
    format_name = "json" if as_json else format_name
    if pages:
        from arbiter.cli.game_pages import check_pages

        check_pages(format_name, output)
    loaded = load_contest(find_match_file(contest), only_look=True)
    contest_options.print_result(
        loaded, current_result(loaded), format_name, output=output, plots=plots, pages=pages, verbose=verbose
    )
