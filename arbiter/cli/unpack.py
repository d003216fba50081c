"""``arbiter archive unpack``: packed games as files again."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter.cli import common
from arbiter.cli.left_out import report_left_out
from arbiter.cli.pack import check_is_folder, contest_stopped, folders, terminal_progress
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.text import count


@click.command("unpack")
@click.argument("folder", type=click.Path(path_type=Path))
@common.json_option
def unpack(folder: Path, as_json: bool) -> None:
    """Restore the files of the packed games in FOLDER and its subfolders, byte for byte.

    An archive is deleted when all its games have been written and compared with it. A damaged one stays, and the games of
    its undamaged parts are restored; the exit status is then 1.

    \b
    Examples:
      arbiter archive unpack matches/games/splendor-cup
      arbiter archive unpack matches/games --json
    """
    check_is_folder(folder)
    games, damaged = 0, list[UnreadableArchive]()
    for inner in folders(folder):
        if at_rest.archives(inner):
            at_rest.check_archive_libraries(at_rest.archives(inner)[0])
            from arbiter.records.packed.unpacking import unpack_folder

            with contest_stopped(inner):
                games += unpack_folder(inner, terminal_progress("unpacking"), damaged)
    terminal_progress("unpacking")(0, 0)
    if as_json:
        from arbiter.cli.documents import Unpacked

        common.print_json(Unpacked(games=games, kept=list(map(str, damaged))))
    elif games or not damaged:
        click.echo(f"unpacked {count(games, 'game')}" if games else "no packed games")
    report_left_out(damaged, "not unpacked")
