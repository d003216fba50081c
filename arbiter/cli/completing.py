"""What the shell offers after Tab: protocols, agents, and the values of options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from arbiter.errors import UserError

Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _silently(complete: Completer) -> Completer:
    """Offer nothing where there is a mistake, in arbiter.toml for example: the command will report it."""

    @functools.wraps(complete)
    def completer(context: click.Context, parameter: click.Parameter, start: str) -> list[CompletionItem]:
        try:
            return complete(context, parameter, start)
        except UserError:
            return []

    return completer


def _first(context: click.Context, name: str) -> str:
    """Return the first argument, called ``name``: click does not name arguments while an option waits for its value."""
    return str(context.params.get(name) or next(iter(context.args), ""))


def _items(names: Iterable[str], start: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(start)]


@_silently
def protocols(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete names of protocols."""
    from arbiter import registry
    from arbiter.config.workspace import Workspace

    return _items(registry.protocol_names(Workspace()), start)


@_silently
def agents(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete names of agents of the protocol on the command line; file names if no agent name matches."""
    from arbiter.config.workspace import Workspace

    names = [*Workspace().agents(context.params.get("protocol")), "human"]
    return _items(names, start) or [CompletionItem(start, type="file")]


@_silently
def recorded_agents(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete names of agents that played in the saved games, or else of all named agents."""
    from arbiter import registry
    from arbiter.config.workspace import Workspace
    from arbiter.records.search.folder import search
    from arbiter.records.search.query import Query

    workspace = Workspace()
    folder = Path(_first(context, "folder") or workspace.games)
    protocol = context.params.get("protocol")
    names: set[str] = set()
    if folder.is_dir():
        names = {
            name
            for game in search(folder, Query(protocol=protocol), keep=folder == workspace.games).games
            for name in game.seats
        }
    for each in [protocol] if protocol else registry.protocol_names(workspace) if not names else []:
        names |= set(workspace.agents(each))
    return _items(sorted(names), start)


def clocks(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the values of --clock."""
    from arbiter.agents.clock.charge import CLOCKS

    return _items(CLOCKS, start)


def lifetimes(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the values of --lifetime."""
    from arbiter.agents.prepare.agent import LIFETIMES

    return _items(LIFETIMES, start)


def sandboxes(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the values of --sandbox."""
    from arbiter.agents.sandbox.levels import AUTO, LEVELS, ONLY

    return _items([AUTO, *LEVELS], start) or _items([f"{ONLY}{level}" for level in LEVELS], start)


def kinds(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the values of --kind."""
    from arbiter.contest.schedules import registry

    return _items(registry.kinds(), start)


@_silently
def parameters(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete NAME= of --set for the kind of contest on the command line."""
    from arbiter.contest.schedules import registry

    kind = registry.find_kind(context.params.get("kind") or "round_robin")
    return _pairs(dict.fromkeys(kind.__struct_fields__, ()), start)


@_silently
def options(context: click.Context, _: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete NAME=VALUE of --option: the options of the protocol on the command line, and the values to choose from."""
    from arbiter import registry
    from arbiter.config.workspace import Workspace

    protocol = registry.find_protocol(_first(context, "protocol"), Workspace())
    choices = {
        option.name: ("true", "false") if isinstance(option.default, bool) else tuple(map(str, option.choices))
        for option in protocol.options
    }
    return _pairs(choices, start)


def limits(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete NAME= of --limit."""
    from arbiter.config.limits import LIMITS

    return _pairs(dict.fromkeys(LIMITS, ()), start)


def _pairs(choices: Mapping[str, Iterable[str]], start: str) -> list[CompletionItem]:
    """Offer ``NAME=``, and after that the values to choose from."""
    name, equals, _ = start.partition("=")
    offered = [f"{name}={value}" for value in choices.get(name, ())] if equals else [f"{each}=" for each in choices]
    return _items(offered, start)
