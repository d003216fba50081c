"""All commands of the command line, for tests about every one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from arbiter.cli import COMMANDS, cli


def group() -> click.Context:
    """Return a context of ``arbiter`` itself."""
    return click.Context(cli, info_name="arbiter", **cli.context_settings)


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its name."""
    for name in COMMANDS:
        command = cli.get_command(group(), name)
        assert command is not None
        yield name, command


def with_subcommands() -> dict[str, click.Command]:
    """Return every command, and every subcommand as ``cluster start``, by name."""
    found = dict(all_commands())
    for name, command in list(found.items()):
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": each for inner, each in command.commands.items()}
    return found


def help_page(name: str) -> str:
    """Return the help of a command (of ``arbiter`` itself, if empty) at 80 columns."""
    if not name:
        return cli.get_help(click.Context(cli, info_name="arbiter", terminal_width=80, **cli.context_settings))
    command = with_subcommands()[name]
    return command.get_help(click.Context(command, info_name=name, parent=group(), terminal_width=80))


def examples(page: str) -> list[str]:
    """Return the command lines in the Examples part of a page, without the remarks behind them."""
    _, heading, rest = page.partition("\n  Examples:\n")
    lines = re.split(r"\n\s*\n", rest)[0].splitlines() if heading else []
    # A remark stands two spaces or more behind the command.
    return [line.strip().split("  ")[0] for line in lines if line.strip().startswith("arbiter ")]
