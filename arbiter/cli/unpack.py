"""``arbiter unpack``: packed games as files again."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter.cli import common
from arbiter.cli.pack import check_is_folder, contest_stopped, folders, terminal_progress
from arbiter.records import at_rest
from arbiter.text import count


@click.command("unpack")
@click.argument("folder", type=click.Path(path_type=Path))
@common.json_option
def command(folder: Path, as_json: bool) -> None:
    """Restore the files of the packed games in FOLDER and its subfolders, byte for byte.

    An archive is deleted when all its games have been written and compared with it.

    \b
    Examples:
      arbiter unpack matches/games/splendor-cup
      arbiter unpack matches/games --json
    """
    check_is_folder(folder)
    games = 0
    for inner in folders(folder):
        if at_rest.archives(inner):
            at_rest.check_archive_libraries(at_rest.archives(inner)[0])
            from arbiter.records.packed.unpacking import unpack_folder

            with contest_stopped(inner):
                games += unpack_folder(inner, terminal_progress("unpacking"))
    terminal_progress("unpacking")(0, 0)
    if as_json:
        from arbiter.cli.documents import Unpacked

        common.print_json(Unpacked(games=games))
    else:
        click.echo(f"unpacked {count(games, 'game')}" if games else "no packed games")
