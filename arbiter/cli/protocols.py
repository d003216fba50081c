"""``arbiter protocols``: list the protocols, or show one in detail."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from arbiter import registry
from arbiter.cli import common, completing, terminal
from arbiter.cli.named_agents import NamedAgent, named_agents
from arbiter.config.limits import LIMITS
from arbiter.config.workspace import Workspace
from arbiter.game import Protocol
from arbiter.text import safe

if TYPE_CHECKING:
    from arbiter.cli.documents import ProtocolFacts


@click.command("protocols")
@click.argument("name", required=False, shell_complete=completing.protocols)
@common.json_option
def command(name: str | None, as_json: bool) -> None:
    """List the protocols (the games that can be played here), or show the one called NAME in detail.

    If NAME is a library, such as openspiel, its protocols are listed. The details of a protocol are its options, the limits, its agents that have names here and whether they can run, and its guide.

    \b
    Examples:
      arbiter protocols
      arbiter protocols splendor
    """
    workspace = Workspace()
    listed = _listed(name, workspace)
    chosen = [registry.find_protocol(each, workspace) for each in listed or [str(name)]]
    if as_json:
        documents = [_document(protocol, workspace) for protocol in chosen]
        common.print_json(documents if listed else documents[0])
    elif not listed:
        _details(chosen[0], workspace)
    else:
        rows = [(each.name, _seats(each), each.lifetime, each.limits.get("move", ""), each.summary) for each in chosen]
        click.echo(common.fitted_table(rows, ["name", "seats", "lifetime", "time per move", "description"]))
        click.echo("\nThe lifetime is how long an agent's process lives. 'arbiter protocols NAME'")
        click.echo("shows a protocol's options, limits and agents, and where its guide is.")
        for library in () if name else workspace.library_folders():
            click.echo(f"More games: 'arbiter protocols {library}' lists them.")


def _listed(name: str | None, workspace: Workspace) -> Sequence[str]:
    """Return the names of the protocols to list; none to show the protocol of this name."""
    if name is None:
        return registry.protocol_names(workspace)
    return registry.library_names(name, workspace) if name in workspace.library_folders() else ()


def _seats(protocol: Protocol) -> str:
    fewest, most = protocol.seats
    return str(fewest) if fewest == most else f"{fewest}–{most}"


def author_page(protocol: Protocol) -> Path | None:
    """Return the guide for agent authors, the README.md next to the protocol's code, if there is one."""
    module = sys.modules.get(type(protocol).__module__)
    here = Path(module.__file__).parent if module and module.__file__ else None
    page = here / "README.md" if here else None
    return page if page and page.is_file() else None


def _details(protocol: Protocol, workspace: Workspace) -> None:
    click.echo(f"{click.style(protocol.title, bold=True)} (version {protocol.version})")
    click.echo(f"{terminal.hanging('', protocol.summary, 0)}\n")
    facts = (("seats", _seats(protocol)), ("agent lifetime", protocol.lifetime), ("after a fault", protocol.on_fault))
    for label, text in facts:
        click.echo(terminal.hanging(label, text, 16))
    if protocol.options:
        rows = [
            (each.name, msgspec.json.encode(each.default).decode().strip('"'), each.help) for each in protocol.options
        ]
        click.echo("\n" + common.fitted_table(rows, ["option", "default", "meaning"]))
    limits = [(name, protocol.limits.get(name, limit.default), limit.help) for name, limit in LIMITS.items()]
    click.echo("\n" + common.fitted_table(limits, ["limit", "default", "meaning"]))
    if agents := named_agents(protocol, workspace):
        click.echo()
        _print_agents(agents)
    if page := author_page(protocol):
        click.echo(f"\nguide for agent authors: {common.display_path(page.resolve())}")


def _print_agents(agents: list[NamedAgent]) -> None:
    """Print the agents, those that cannot run dimmed and with the reason."""
    names = max(5, *(len(agent.name) for agent in agents))
    kinds = max(8, *(len(safe(agent.language)) for agent in agents))
    click.echo(f"{'agent':<{names}}  {'language':<{kinds}}")
    click.echo(f"{'-' * names}  {'-' * kinds}")
    for agent in agents:
        label = f"{agent.name:<{names}}  {safe(agent.language):<{kinds}}  "
        about = f"cannot run: {agent.problem}" if agent.problem else agent.about
        text = terminal.hanging(label, safe(about, 500), len(label))
        click.echo(click.style(text, dim=True) if agent.problem else text)
    click.echo(f"{'human':<{names}}  {'':<{kinds}}  you, at the terminal or with --browser")


def _document(protocol: Protocol, workspace: Workspace) -> ProtocolFacts:
    from arbiter.cli.documents import ProtocolFacts, ProtocolOption

    page = author_page(protocol)
    return ProtocolFacts(
        name=protocol.name,
        title=protocol.title,
        summary=protocol.summary,
        version=protocol.version,
        seats=list(protocol.seats),
        lifetime=protocol.lifetime,
        limits=dict(protocol.limits),
        on_fault=protocol.on_fault,
        options=[
            ProtocolOption(
                name=option.name,
                default=option.default,
                help=option.help,
                choices=list(option.choices),
                minimum=option.minimum,
                maximum=option.maximum,
            )
            for option in protocol.options
        ],
        agents=named_agents(protocol, workspace),
        page=str(page) if page else None,
    )
