"""``arbiter new game``: write a folder with a small working game."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from arbiter import registry
from arbiter.cli import common
from arbiter.config.workspace import Workspace
from arbiter.errors import install_command
from arbiter.text import safe


def write_game(name: str, directory: Path | None) -> None:
    """Write a small working game to a new directory, and say how to try it. Raises UserError."""
    from arbiter.new_game import check_game_name, game_files
    from arbiter.starters.project import write_files

    check_game_name(name, registry.protocol_names(Workspace()))
    folder = directory or Path(name)
    files = game_files(name)
    write_files(files, folder)
    _report(name, folder)


def _report(name: str, folder: Path) -> None:
    shown = common.display_path(folder)
    arbiter = common.this_command()
    click.echo(f"{click.style(safe(str(folder)), bold=True)}: a game called {name}")
    click.echo(f"\nTry it, and then edit {safe(str(Path(shown) / name / 'rules.py'))}:")
    click.echo(f"  cd {shlex.quote(shown)}\n  {arbiter} play {name} random random\n  {arbiter} view")
    # Not just 'pytest': the first one on the PATH may be that of a Python without the arbiter.
    python = common.quoted_path(sys.executable)
    if find_spec("pytest") is None:
        click.echo(f"  {install_command('pytest')}")
    click.echo(f"  {python} -m pytest")
