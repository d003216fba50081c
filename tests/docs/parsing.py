"""Parsing commands that a page shows, without running them."""

from __future__ import annotations

import re
import shlex

import click

from arbiter.cli import cli, colour


def check_options(line: str, *, complete: bool = True) -> None:
    """Raise a click error if a command line has options that the command does not know; also if arguments or files are
    missing, unless it need not be complete."""
    _, name, *words = colour.without_flag(shlex.split(re.split(r"[|>]|(?:^|\s)#", line)[0]))
    # With the settings of the group: click remembers the names of a command's help option from its first context.
    group = click.Context(cli, info_name="arbiter", **cli.context_settings)
    command = cli.get_command(group, name)
    assert command is not None
    try:
        command.make_context(name, words, parent=group)
    except click.BadParameter as error:
        if complete or not (isinstance(error, click.MissingParameter) or "does not exist" in error.message):
            raise
