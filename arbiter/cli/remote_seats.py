"""``remote:TEAM`` in ``arbiter play``: serves agents on other machines for as long as their games last."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import click
import msgspec
from click.core import ParameterSource

from arbiter import registry
from arbiter.agents.prepare.agent import REMOTE
from arbiter.cli import options
from arbiter.cli.grouped_help import REMOTE as REMOTE_HEADING
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.text import count, safe
from arbiter.units import duration_ns

if TYPE_CHECKING:
    from arbiter.arena.remote_agents import RemoteAgents, SeriesGame
    from arbiter.playing.plan import Plan
    from arbiter.playing.series import Gather

FILLER = "random"
"""The house agent for free seats. Every bundled protocol has an agent of this name."""
Command = Callable[..., None]


class RemoteOptions(msgspec.Struct, frozen=True):
    """What the user says about remote agents."""

    host: str
    port: int
    join_time: str
    allowance: str


def remote_options(command: Command) -> Command:
    """Add the options of games with remote agents."""
    for option in (
        options.shared("allowance", ".  [default: 0ms]", heading=REMOTE_HEADING),
        options.shared("join_time", ".  [default: 60s]", heading=REMOTE_HEADING),
        options.shared("port", ".  [default: 9000]", default=9000, heading=REMOTE_HEADING),
        options.shared("host", ".  [default: 127.0.0.1]", heading=REMOTE_HEADING),
    ):
        command = option(command)
    return command


def time_ns(option: str, text: str) -> int:
    """Return a time that may be zero. Raises UserError."""
    return 0 if text.strip() in ("0", "0s", "0ms") else duration_ns(text, option)


def with_house_agents(protocol: str, agents: tuple[str, ...]) -> tuple[tuple[str, ...], Sequence[str]]:
    """Return the agents, with house agents for free seats if one of them is remote; and notes."""
    if not any(_is_remote(agent) for agent in agents):
        return agents, []
    workspace = Workspace()
    missing = registry.find_protocol(protocol, workspace).seats[0] - len(agents)
    if missing <= 0 or FILLER not in workspace.agents(protocol):
        return agents, []
    return (*agents, *[FILLER] * missing), [f"{count(missing, 'more seat')} for house agents: {FILLER!r} plays there"]


def _is_remote(agent: str) -> bool:
    return agent.rpartition("=")[2].startswith(f"{REMOTE}:") or agent.startswith(f"{REMOTE}:")


@contextlib.contextmanager
def remote_agents(plan: Plan, asked: RemoteOptions) -> Iterator[Gather | None]:
    """Serve the remote agents of a plan, if it has any, within the block."""
    join_s = time_ns("--join-time", asked.join_time) / 1e9
    allowance_ns = time_ns("--allowance", asked.allowance)
    if not any(entrant.agent.is_remote for entrant in plan.entrants):
        _refuse_without_remote_agents()
        yield None
        return
    from arbiter.arena.remote_agents import serve_remote_agents
    from arbiter.arena.serve import prepare_process
    from arbiter.web.serve import listen

    prepare_process()
    address = listen(asked.host, asked.port)
    with serve_remote_agents(plan, address, join_s=join_s, allowance_ns=allowance_ns, waiting=_show_waiting) as found:
        _show_addresses(plan, found)
        yield found.gather


def _refuse_without_remote_agents() -> None:
    """Raise UserError for an option that is without effect unless an agent is remote."""
    context = click.get_current_context()
    for name in ("host", "port", "join_time", "allowance"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            flag = f"--{name.replace('_', '-')}"
            raise UserError(f"{flag} is for remote agents: give 'remote:TEAM' as one of the agents, or leave it out")


def _show_addresses(plan: Plan, found: RemoteAgents) -> None:
    # On standard error: standard output may be a JSON document.
    join = plan.protocol.rest.join_path if plan.protocol.rest else "/join"
    width = max(len(safe(team)) for team in found.keys)
    for team, key in found.keys.items():
        label = click.style("remote", bold=True)
        click.echo(f"{label}   {safe(team):{width}}  POST {found.url}{join}  key={key}", err=True)
    if plan.protocol.rest:
        click.echo(f"         agents that read the prompts of local agents: POST {found.url}/join", err=True)


def _show_waiting(game: SeriesGame, found: RemoteAgents) -> None:
    teams = ", ".join(safe(team) for team in found.keys)
    label = click.style("waiting", bold=True)
    click.echo(f"{label}  for {teams} in game {game.row.id}; watch at {found.url}/{game.row.id}", err=True)
