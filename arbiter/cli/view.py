"""``arbiter view``: look at saved games in the browser."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import click

from arbiter.cli import common, options
from arbiter.cli.terminal import note
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.addresses import games_at, place
from arbiter.records.reader import load_record
from arbiter.records.search.query import Query
from arbiter.web.serve import listen, make_viewer_server, open_browser


@click.command("view")
@click.argument("games", nargs=-1)
@click.option("--no-open", is_flag=True, help="Print the address; do not open the browser.")
@click.option("--wall", is_flag=True, help="Show a page for a projector: running games and standings.")
@options.shared("port", ".  [default: any free one]", default=0)
@options.shared("host", "; other machines need the token in the address that is printed.  [default: 127.0.0.1]")
def command(games: tuple[str, ...], no_open: bool, wall: bool, port: int, host: str) -> None:
    """Show saved games in the browser: GAMES are files, 'last', CONTEST#37, or one folder.

    By default, all saved games. A game that is still being played is followed as it goes on. Ctrl-C ends the command.

    \b
    Examples:
      arbiter view matches/samples/splendor.jsonl
      arbiter view matches/games/splendor-cup
    """
    from arbiter.web.library import Library

    folder = _folder(games)
    library = Library(folder=folder) if folder else Library(_records(games))
    if folder and not library.search(Query(limit=1)).total:
        note(f"no saved games in {common.display_path(folder)} yet; the page lists those that are saved there")
    address = listen(host, port)
    url = address.url("/wall" if wall else "/")

    def started() -> None:
        click.echo(f"{click.style('viewing', bold=True)}  {url}   (Ctrl-C to stop)")
        if not no_open:
            open_browser(url)

    server = make_viewer_server(library, address, common.display_path(folder) if folder else "", started)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[address.listening])


def _records(given: tuple[str, ...]) -> list[Path]:
    """Return the games to show one by one. Raises UserError; of a single one also if it is not a saved game."""
    records = games_at(given)
    if len(records) == 1:
        load_record(records[0])
    return records


def _folder(given: tuple[str, ...]) -> Path | None:
    """Return the folder to show; None if games are given one by one. Raises UserError."""
    if not given:
        folder = Workspace().games
        if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises if a parent folder may not be searched
            raise UserError(f"no saved games in {common.display_path(folder)} yet; 'arbiter play' saves them there")
        return folder
    if len(given) > 1:
        return None
    named = place(given[0])
    return named if os.path.isdir(named) else None  # noqa: PTH112
