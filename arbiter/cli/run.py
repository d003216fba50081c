"""``arbiter run``: run a contest from a match file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arbiter.cli import common, contest_options
from arbiter.cli.builds import show_builds
from arbiter.cli.grouped_help import GroupedCommand
from arbiter.config.workspace import Workspace, bundled
from arbiter.contest.definition import Contest
from arbiter.contest.match_file import load_contest
from arbiter.contest.reloading import Reload
from arbiter.errors import UserError


@click.command("run", cls=GroupedCommand)
@click.argument("file", type=click.Path(path_type=Path))
@contest_options.running
def command(file: Path, **asked: Any) -> None:
    """Run the match or tournament described in FILE (YAML), or continue it where it was stopped.

    Games that have been played are not played again, so the command can be repeated at any time. FILE may also be the
    folder of a contest.

    \b
    Examples:
      arbiter run matches/splendor-cup.yaml
      arbiter run my-cup.yaml --workers 4
    """
    path = find_match_file(file)
    show_builds(quiet=asked["quiet"])
    contest_options.run_and_print(load_contest(path, save=asked["save"]), asked, _reloaded(path, asked["save"]))


def _reloaded(path: Path, save: Path | None) -> Reload:
    """A function that reads the contest again if its file has changed since the last call."""
    seen = _version(path)

    def reload() -> Contest | None:
        nonlocal seen
        before, seen = seen, _version(path)
        return load_contest(path, save=save) if seen != before else None

    return reload


def _version(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:  # removed, at least for now: the contest goes on as it is
        return 0, 0
    return found.st_mtime_ns, found.st_size


def find_match_file(file: Path) -> Path:
    """Find a match file or the folder of a contest, here or among the bundled files. Raises UserError.

    A contest that is named without the folder it is saved in is suggested.
    """
    for path in (file, bundled() / file):
        if path.exists():
            return path
    saved = Workspace().games / file.name
    hint = f"; did you mean {common.quoted_path(saved)}?" if saved.is_dir() else ""
    raise UserError(f"no such file or folder {str(file)!r}{hint}")
