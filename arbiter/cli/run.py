"""``arbiter run``: a contest from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arbiter.cli import contest_options
from arbiter.contest.definition import Contest
from arbiter.contest.file import load
from arbiter.contest.runner import Reload
from arbiter.errors import UserError
from arbiter.workspace import bundled


@click.command("run")
@click.argument("file", type=click.Path(path_type=Path))
@contest_options.running
def command(file: Path, **asked: Any) -> None:
    """Run the match or tournament that FILE (YAML) describes, or go on with it where it was stopped.

    Games that have been played are not played again: the same command may be given at any time. FILE may also be the
    folder of a contest.

    \b
    arbiter run matches/splendor-cup.yaml
    arbiter run my-cup.yaml --workers 4 --format html --output cup.html
    """
    path = find(file)
    contest_options.run_and_tell(load(path, save=asked["save"]), asked, _reloaded(path, asked["save"]))


def _reloaded(path: Path, save: Path | None) -> Reload:
    """The contest of a file whenever that has changed."""
    seen = _stamp(path)

    def reload() -> Contest | None:
        nonlocal seen
        before, seen = seen, _stamp(path)
        return load(path, save=save) if seen != before else None

    return reload


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:  # gone for now: what is running goes on
        return 0, 0
    return found.st_mtime_ns, found.st_size


def find(file: Path) -> Path:
    """The file, here or among those that come with the arbiter."""
    for path in (file, bundled() / file):
        if path.exists():
            return path
    raise UserError(f"no such file {str(file)!r}")
