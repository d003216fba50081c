"""``arbiter agents``: the agents known here and whether they can run."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from arbiter import registry
from arbiter.agents.prepare import languages
from arbiter.agents.prepare.resolve import resolve
from arbiter.cli import common
from arbiter.errors import EXIT_FOUND, UserError
from arbiter.workspace import Workspace


@click.command("agents")
@click.argument("agents", nargs=-1, shell_complete=common.complete_agents)
@click.option(
    "--protocol",
    "-p",
    shell_complete=common.complete_games,
    help="Only those for this game; needed to look up its names.",
)
@common.json_option
def command(agents: tuple[str, ...], protocol: str | None, as_json: bool) -> None:
    """List the agents named in arbiter.toml, or get the given AGENTS ready to play: find, build and check them.

    Exit code 1 if any of the given ones cannot run.
    """
    workspace = Workspace()
    rows = _given(agents, protocol, workspace) if agents else _known(protocol, workspace)
    if as_json:
        common.print_json({"agents": rows})
    elif agents:
        for row in rows:
            word = click.style("ready", fg="green") if row["ready"] else click.style("cannot run", fg="red")
            click.echo(f"{row['agent']}: {word}  {row['why'] or row['command']}")
    else:
        keys = ("protocol", "agent", "language", "state", "about")
        shown = [[row[key] for key in keys] for row in ({**each, "state": _state(each)} for each in rows)]
        click.echo(common.table(shown, ["game", "name", "language", "can it run?", "what it does"]))
        click.echo("\n'human' plays every game at the terminal; files, folders and commands need no name")
    if agents and not all(row["ready"] for row in rows):
        raise click.exceptions.Exit(EXIT_FOUND)


def _state(row: dict[str, object]) -> str:
    return "yes" if row["ready"] else f"no: {row['why']}"


def _given(texts: tuple[str, ...], protocol: str | None, workspace: Workspace) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for text in texts:
        try:
            found = resolve(text, registry.find(protocol, workspace) if protocol else None, workspace)
        except UserError as error:
            why = (not protocol and _of_a_game(text, workspace)) or str(error)
            rows.append({"agent": text, "ready": False, "why": why, "language": "", "command": ""})
        else:
            command_line = shlex.join(found.command) or "asks at the terminal"
            rows.append({"agent": text, "ready": True, "why": "", "language": found.language, "command": command_line})
    return rows


def _of_a_game(text: str, workspace: Workspace) -> str:
    """What to type if this is a game, or a name that only some games know."""
    games = registry.names(workspace)
    if text in games:
        return f"{text!r} is a game; its agents: arbiter agents -p {text}"
    knowing = [game for game in games if text in workspace.agents(game)]
    return f"{text!r} is a name of {', '.join(knowing)}: say which with -p" if knowing else ""


def _known(protocol: str | None, workspace: Workspace) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    everywhere = set(workspace.agents(None))
    for game in [protocol] if protocol else registry.names(workspace):
        registry.find(game, workspace)
        for name, (base, entry) in workspace.agents(game).items():
            if name in everywhere and not protocol:
                continue
            rows.append({"protocol": game, "agent": name, **_look(base, entry.agent, workspace), "about": entry.about})
    for name in sorted(everywhere if not protocol else ()):
        base, entry = workspace.agents(None)[name]
        rows.append({"protocol": "any", "agent": name, **_look(base, entry.agent, workspace), "about": entry.about})
    return rows


def _look(base: Path, text: str, workspace: Workspace) -> dict[str, object]:
    """Whether it could run, without building it."""
    path = base / text
    language = languages.table(workspace).get(path.suffix)
    if path.is_file() and language:
        missing = [tool.replace("|", " or ") for tool in language.tools if not languages.find_tool(tool)]
        why = f"{', '.join(missing)} not installed" if missing else ""
        return {"language": language.name, "ready": not missing, "why": why, "path": str(path)}
    try:
        found = resolve(str(path) if path.exists() else text, None, workspace)
    except UserError as error:
        return {"language": "", "ready": False, "why": str(error).splitlines()[0], "path": str(path)}
    return {"language": found.language, "ready": True, "why": "", "path": str(path)}
