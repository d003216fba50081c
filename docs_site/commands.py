"""One page per command, from the same source as ``--help``."""

from __future__ import annotations

import inspect
import re

import click

from arbiter.cli import GROUPS, cli


def command_pages() -> dict[str, str]:
    """Return the pages by their path in the site: one per command, and an index."""
    index = ["# Commands", ""]
    pages: dict[str, str] = {}
    for heading, commands in GROUPS.items():
        index += [f"## {heading}", "", "| command | what it does |", "|---|---|"]
        for name, summary in commands.items():
            index.append(f"| [`arbiter {name}`]({name}.md) | {summary} |")
            pages[f"commands/{name}.md"] = _page(name)
        index.append("")
    return {"commands/index.md": "\n".join(index), **pages}


def _page(name: str) -> str:
    group = click.Context(cli, info_name="arbiter", **cli.context_settings)
    command = cli.get_command(group, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=group)
    prose, _, examples = inspect.cleandoc(command.help or "").partition("\b\nExamples:\n")
    parts = [f"# arbiter {name}", f"    {' '.join(command.get_usage(context).split()[1:])}", prose.strip()]
    if examples:
        parts.append(
            "## Examples\n\n" + "\n".join(f"    {line.strip()}" for line in examples.splitlines() if line.strip())
        )
    rows = [record for each in command.get_params(context) if (record := each.get_help_record(context))]
    parts.append("## Options\n\n| option | meaning |\n|---|---|\n" + "\n".join(_row(*record) for record in rows))
    return "\n\n".join(parts) + "\n"


def _row(flags: str, meaning: str) -> str:
    return f"| `{flags.replace('|', chr(92) + '|')}` | {_cell(meaning)} |"


def _cell(text: str) -> str:
    """Return text for a cell of a table: on one line, and nothing in it taken for markup."""
    return re.sub(r"([|<>*_\[\]])", r"\\\1", " ".join(text.split()))
