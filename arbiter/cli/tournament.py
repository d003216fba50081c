"""``arbiter tournament``: many agents, by any kind of schedule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import yaml

from arbiter.cli import completing, contest_options, options
from arbiter.cli.game_options import game_settings, pairs, take_settings
from arbiter.cli.grouped_help import GroupedCommand
from arbiter.cli.referee_option import referee_option, with_referee
from arbiter.cli.values import WholeNumber
from arbiter.contest.definition import Definition
from arbiter.contest.schedules.registry import kinds
from arbiter.errors import wrong_value


@click.command("tournament", cls=GroupedCommand)
@click.argument("protocol", shell_complete=completing.protocols)
@click.argument("agents", nargs=-1, required=True, shell_complete=completing.agents)
@click.option(
    "--kind",
    "-k",
    default="round_robin",
    metavar="KIND",
    shell_complete=completing.kinds,
    help="Kind of schedule, see above.  [default: round_robin]",
)
@click.option(
    "--set",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=completing.parameters,
    help="Set a parameter of the schedule. Repeatable.",
)
@options.shared("games", " per pairing, as the kind defines it; short for --set games=N.")
@click.option(
    "--seats",
    type=WholeNumber(1),
    metavar="N",
    help="Agents per table.  [default: 2, or the fewest the protocol allows if that is more]",
)
@referee_option
@game_settings
@contest_options.naming
@contest_options.running
def command(
    protocol: str,
    agents: tuple[str, ...],
    kind: str,
    parameters: tuple[str, ...],
    games: int | None,
    seats: int | None,
    referee: str | None,
    **asked: Any,
) -> None:
    """Play a tournament between AGENTS. A folder stands for all agents in it.

    Kinds of schedule: KINDS. docs/contests.md describes their parameters.

    \b
    Examples:
      arbiter tournament splendor sample_agents/splendor --games 2
      arbiter tournament splendor submissions/ --kind swiss --set rounds=7
      arbiter tournament heroes bots/*.py --seats 4 --kind knockout
    """
    protocol, agents, settings = with_referee(referee, protocol, agents, take_settings(asked))
    schedule: dict[str, object] = {"kind": kind}
    if asked["seed"] is not None:
        schedule["seed"] = asked["seed"]
    schedule |= {name: _value(name, text) for name, text in pairs(parameters, "--set").items()}
    if games is not None:
        schedule["games"] = games
    if seats is not None:
        schedule["seats"] = seats
    definition = Definition(
        name=asked["name"] or f"{protocol}-{kind}",
        protocol=protocol,
        agents=agents,
        given=agents,
        seats=seats,
        settings=settings,
        base=str(Path.cwd()),
    )
    contest_options.run_and_print(contest_options.make_named(definition, schedule, asked), asked)


command.help = (command.help or "").replace(
    "KINDS", ", ".join(f"{name} ({kind.summary})" for name, kind in kinds().items())
)


def _value(name: str, text: str) -> object:
    """The value of a parameter, read as in a match file: ``7`` is a number."""
    try:
        value: object = yaml.safe_load(text)
    except yaml.YAMLError:
        raise wrong_value(f"--set {name}", text, "a value as in a match file, such as 7 or true") from None
    return value
