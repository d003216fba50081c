"""``arbiter new``: write a first agent that plays at once, or a first game."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from arbiter import registry
from arbiter.cli import common, completing, terminal
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.text import safe


def _complete_languages(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    from arbiter.starters.languages import LANGUAGES

    return [CompletionItem(name, help=each.title) for name, each in LANGUAGES.items() if name.startswith(start.lower())]


@click.command("new")
@click.argument("protocol", required=False, shell_complete=completing.protocols)
@click.argument("language", required=False, shell_complete=_complete_languages)
@click.argument("directory", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
def command(protocol: str | None, language: str | None, directory: Path | None) -> None:
    """Write a first agent for PROTOCOL in LANGUAGE to the new directory DIR.

    It plays at once: it reads all of its input into named structures and follows a simple plan. The place for your own ideas
    is marked. By default, DIR is named after PROTOCOL and LANGUAGE; it must not exist yet, or be empty. Without LANGUAGE, the
    protocols and languages are listed.

    'arbiter new game NAME' writes a game instead: a complete small one with rules, drawing, guide, tests and a sample agent,
    to be replaced step by step by your own. docs/new-game.md builds a game from it.

    \b
    Examples:
      arbiter new                        the protocols and languages
      arbiter new splendor python        an agent in ./splendor-python
      arbiter new heroes rust ~/bots/me  an agent in a directory of your choice
      arbiter new game connect_four      a game in ./connect_four
    """
    if protocol == "game":
        from arbiter.cli.write_game import write_game

        if language is None:
            raise UserError("a new game needs a name, such as: arbiter new game connect_four")
        write_game(language, directory)
        return
    from arbiter.starters.project import find_language, starter, write_files

    workspace = Workspace()
    if protocol is None or language is None:
        _list_choices(protocol, workspace)
        return
    found = registry.find_protocol(protocol, workspace)
    chosen = find_language(language)
    folder = directory or Path(f"{protocol}-{chosen.key}")
    files = starter(found, chosen, _opponents(found, workspace, "."))
    write_files(files, folder)
    _report(found, chosen.title, folder, list(files), workspace)
    if missing := _missing_tool(chosen.build, chosen.run):
        terminal.note(f"{missing} is not installed here, and this agent needs it: {chosen.install}")


def _list_choices(protocol: str | None, workspace: Workspace) -> None:
    from arbiter.starters.languages import LANGUAGES

    names = [protocol] if protocol else registry.protocol_names(workspace)
    games = [(name, registry.find_protocol(name, workspace)) for name in names]
    rows = []
    for name, each in LANGUAGES.items():
        missing = _missing_tool(each.build, each.run)
        rows.append((name, f"{each.title}; {missing} is missing: {each.install}" if missing else each.title))
    formatter = click.HelpFormatter(width=80)
    with formatter.section("PROTOCOL"):
        formatter.write_dl([(name, f"{game.title}: {game.summary}") for name, game in games])
    with formatter.section("LANGUAGE"):
        formatter.write_dl(rows)
    click.echo(formatter.getvalue())
    click.echo(f"Write a first agent: {common.this_command()} new {protocol or names[-1]} python")


def _missing_tool(*commands: str) -> str:
    """Return the first program of these commands that is not installed, empty if all are."""
    from arbiter.agents.prepare.languages import find_tool

    tools = [command.split()[0] for command in commands if command and not command.startswith("./")]
    missing = next((tool for tool in tools if find_tool(tool) is None), "")
    return re.sub(r">=(.*)", r" \1 or later", missing)


def _opponents(protocol: Protocol, workspace: Workspace, itself: str) -> str:
    """Return what to type for the other seats: an agent that plays at random where there is one, else the agent itself."""
    fewest, most = protocol.seats
    other = "random" if "random" in workspace.agents(protocol.name) else itself
    return " ".join([other] * (max(fewest, min(2, most)) - 1))


def _report(protocol: Protocol, language: str, folder: Path, files: list[str], workspace: Workspace) -> None:
    shown_path = common.display_path(folder)
    typed = shlex.quote(shown_path if shown_path.startswith("/") else f"./{shown_path}")
    play = f"{common.this_command()} play {protocol.name} {typed} {_opponents(protocol, workspace, typed)}".rstrip()
    made = ", ".join(name for name in files if not name.startswith("."))
    click.echo(f"{click.style(safe(str(folder)), bold=True)}: an agent for {protocol.title} in {language}")
    click.echo(f"  {made}\n\nTry it, and then edit {files[0]} at the line with THINK HERE:")
    click.echo(f"  {play}\n  {play} --games 10 --quiet")
