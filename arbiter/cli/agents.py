"""``arbiter agents``: list the named agents, or check that given agents can run."""

from __future__ import annotations

import itertools
import shlex
from pathlib import Path

import click
import msgspec

from arbiter import registry
from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare import languages
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.cli import common, completing, options
from arbiter.cli.builds import show_builds
from arbiter.cli.terminal import hanging
from arbiter.config.workspace import AgentEntry, Workspace
from arbiter.errors import EXIT_FOUND, UserError
from arbiter.text import safe


class AgentRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An agent, and whether it can run."""

    agent: str
    """Its name in arbiter.toml, or what was typed."""
    ready: bool
    why: str
    """Why it cannot run; empty if it can."""
    language: str
    protocol: str = ""
    """Of a named agent: the protocol it is for, or ``any``."""
    about: str = ""
    path: str = ""
    """Of a named agent: its file."""
    command: str = ""
    """Of an agent that was typed: how it is run."""


class Agents(msgspec.Struct, frozen=True, kw_only=True):
    """The agents named in arbiter.toml, or those that were typed."""

    agents: list[AgentRow]


@click.command("agents")
@click.argument("agents", nargs=-1, shell_complete=completing.agents)
@options.shared("protocol", ". Required to use the agent names that arbiter.toml defines for it.")
@common.json_option
def command(agents: tuple[str, ...], protocol: str | None, as_json: bool) -> None:
    """List the agents named in arbiter.toml. With AGENTS, find and build those and check that they can run.

    The exit status is 1 if any of AGENTS cannot run.

    \b
    Examples:
      arbiter agents -p splendor
      arbiter agents ./my_bot.cpp "python3 -O bot.py"
    """
    workspace = Workspace()
    show_builds(quiet=as_json)
    rows = _check(agents, protocol, workspace) if agents else _named(protocol, workspace)
    if as_json:
        common.print_json(Agents(agents=rows))
    elif agents:
        for row in rows:
            word = click.style("ready", fg="green") if row.ready else click.style("cannot run", fg="red")
            click.echo(f"{safe(row.agent)}: {word}  {row.why or row.command}")
    else:
        _print_named(rows)
        click.echo("'human' plays any protocol at the terminal. Files, folders and commands are")
        click.echo("agents, too, and need no name: see 'arbiter play --help'.")
    if agents and not all(row.ready for row in rows):
        raise click.exceptions.Exit(EXIT_FOUND)


def _print_named(rows: list[AgentRow]) -> None:
    """Print the named agents below their protocols, those that cannot run dimmed and with the reason."""
    names = max((len(row.agent) for row in rows), default=0)
    kinds = max((len(row.language) for row in rows), default=0)
    for protocol, agents in itertools.groupby(rows, key=lambda row: row.protocol):
        click.echo(click.style("any protocol" if protocol == "any" else protocol, bold=True))
        for row in agents:
            label = f"  {row.agent:<{names}}  {row.language:<{kinds}}  "
            text = hanging(label, row.about if row.ready else f"cannot run: {row.why}", len(label))
            click.echo(text if row.ready else click.style(text, dim=True))
        click.echo()


def _check(texts: tuple[str, ...], protocol: str | None, workspace: Workspace) -> list[AgentRow]:
    rows: list[AgentRow] = []
    builder = Builder(choose_sandbox(workspace.settings.sandbox))
    for text in texts:
        try:
            found = builder.build(
                resolve_agent(text, registry.find_protocol(protocol, workspace) if protocol else None, workspace)
            )
        except UserError as error:
            why = (not protocol and _hint(text, workspace)) or str(error)
            rows.append(AgentRow(agent=text, ready=False, why=why, language=""))
        else:
            elsewhere = "plays over the network" if found.is_remote else "moves are typed at the terminal"
            command_line = safe(shlex.join(found.command), 1000) or elsewhere
            rows.append(AgentRow(agent=text, ready=True, why="", language=found.language, command=command_line))
    return rows


def _hint(text: str, workspace: Workspace) -> str:
    """Say what to type if ``text`` is a protocol, or an agent name that only some protocols define."""
    protocols = registry.protocol_names(workspace)
    if text in protocols:
        return f"{text!r} is a protocol; to list its agents, use: arbiter agents -p {text}"
    defined_by = [protocol for protocol in protocols if text in workspace.agents(protocol)]
    if not defined_by:
        return ""
    return f"{text!r} is an agent of {', '.join(defined_by)}; choose the protocol with -p"


def _named(protocol: str | None, workspace: Workspace) -> list[AgentRow]:
    rows: list[AgentRow] = []
    for_all = set(workspace.agents(None))
    for each in [protocol] if protocol else registry.protocol_names(workspace):
        registry.find_protocol(each, workspace)
        for name, (base, entry) in workspace.agents(each).items():
            if name in for_all and not protocol:
                continue
            rows.append(_probe(name, each, base, entry, workspace))
    for name in sorted(for_all if not protocol else ()):
        base, entry = workspace.agents(None)[name]
        rows.append(_probe(name, "any", base, entry, workspace))
    return rows


def _probe(name: str, protocol: str, base: Path, entry: AgentEntry, workspace: Workspace) -> AgentRow:
    """Determine whether a named agent can run, without building it."""
    path = base / entry.agent
    language = languages.of_extension(path.suffix, workspace)
    if path.is_file() and language:
        missing = [tool.replace("|", " or ") for tool in language.tools if not languages.find_tool(tool)]
        shown, why = language.name, f"{', '.join(missing)} not installed" if missing else ""
    else:
        try:
            shown, why = resolve_agent(str(path) if path.exists() else entry.agent, None, workspace).language, ""
        except UserError as error:
            shown, why = "", str(error).splitlines()[0]
    return AgentRow(
        agent=name, ready=not why, why=why, language=shown, protocol=protocol, about=entry.about, path=str(path)
    )
