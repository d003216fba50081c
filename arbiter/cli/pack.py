"""``arbiter archive pack``: finished records into archives, which take a fifth of the space and are searched faster."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arbiter.cli import common, options, terminal
from arbiter.cli.left_out import report_left_out
from arbiter.contest.ledger import contest_lock
from arbiter.contest.saved_definition import CONTEST_FILE
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.text import count, safe
from arbiter.units import show_size

if TYPE_CHECKING:
    from arbiter.records.packed.packing import PackingResult


@click.command("pack")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--sizes", is_flag=True, help="Pack nothing; show what each column of the archives costs.")
@common.json_option
@options.shared("quiet", ": only games that were not packed.")
def pack(folder: Path, sizes: bool, as_json: bool, quiet: bool) -> None:
    """Pack the finished games in FOLDER and its subfolders into Parquet files beside them.

    All commands work on packed games as on files, under the same paths. Every game is read back and compared byte for
    byte before its file is deleted, and 'arbiter archive unpack' restores the files. Unfinished games are not packed. Nothing
    is packed beside a damaged archive, which may hold games of the same names; the exit status is then 1.

    \b
    Examples:
      arbiter archive pack matches/games/splendor-cup
      arbiter archive pack matches/games/splendor-cup --sizes
    """
    check_is_folder(folder)
    at_rest.check_archive_libraries()
    if sizes:
        from arbiter.cli.pack_sizes import show_sizes

        show_sizes(folder, as_json=as_json)
        return
    from arbiter.records.packed.packing import PackingResult, pack_folder

    total, damaged = PackingResult(), list[UnreadableArchive]()
    for inner in folders(folder):
        with contest_stopped(inner), at_rest.passing_over(damaged):
            total += pack_folder(inner, terminal_progress("packing"))
    terminal_progress("packing")(0, 0)
    if as_json:
        from arbiter.cli.documents import Packed as Document

        common.print_json(
            Document(
                games=total.games,
                bytes_before=total.before,
                bytes_after=total.after,
                unfinished=total.unfinished,
                kept=[*total.kept, *map(_beside, damaged)],
            )
        )
    else:
        if not quiet and (total.games or not damaged):
            click.echo(_summary(total))
        for reason in total.kept:
            terminal.note(f"not packed: {safe(reason, 500)}", fg="yellow")
    report_left_out(map(_beside, damaged), "not packed")


def _beside(archive: UnreadableArchive) -> str:
    return f"the games in {archive.path.parent}, because of {archive}"


def _summary(done: PackingResult) -> str:
    if not done.games:
        text = "nothing to pack"
    else:
        each = done.after / done.games
        text = (
            f"packed {count(done.games, 'game')}: {show_size(done.before)} are now {show_size(done.after)}, "
            f"{each:.0f} bytes per game"
        )
    return f"{text}; {count(done.unfinished, 'unfinished game')} left" if done.unfinished else text


def check_is_folder(folder: Path) -> None:
    """Raise UserError unless this is a folder."""
    if not folder.is_dir():
        what = "is not a folder" if os.path.lexists(folder) else "does not exist"
        raise UserError(f"{str(folder)!r} {what}; give a folder of saved games")


def folders(folder: Path) -> list[Path]:
    """Return a folder and all folders below it, without following links."""
    return sorted(Path(inner) for inner, _, _ in os.walk(folder))


@contextlib.contextmanager
def contest_stopped(folder: Path) -> Iterator[None]:
    """Keep the contest in this folder, if it is one, from being run within the block. Raises UserError if it is running."""
    if (folder / CONTEST_FILE).is_file():
        with contest_lock(folder):
            yield
    else:
        yield


def terminal_progress(what: str) -> Callable[[int, int], None]:
    """Return a function that shows progress on a terminal."""

    def show(done: int, of: int) -> None:
        if sys.stderr.isatty():
            terminal.progress(f"{what}: {done} of {of} …" if done < of else "")

    return show
