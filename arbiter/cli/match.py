"""``arbiter match``: the same agents at one table, until it is clear which is better."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arbiter.cli import completing, contest_options, options
from arbiter.cli.game_options import game_settings, take_settings
from arbiter.cli.grouped_help import GroupedCommand
from arbiter.cli.referee_option import referee_option, with_referee
from arbiter.config.workspace import Workspace
from arbiter.contest.definition import Definition
from arbiter.contest.entries import expand_folders
from arbiter.contest.schedules.seating import orders
from arbiter.errors import UserError

GAMES = 100
MOST_GAMES = 2000
"""With --until, when the question is not settled earlier."""


@click.command("match", cls=GroupedCommand)
@click.argument("protocol", shell_complete=completing.protocols)
@click.argument("agents", nargs=-1, required=True, shell_complete=completing.agents)
@options.shared("games", f" at most.  [default: {GAMES}, or {MOST_GAMES} with --until]")
@referee_option
@game_settings
@contest_options.naming
@contest_options.running
def command(protocol: str, agents: tuple[str, ...], games: int | None, referee: str | None, **asked: Any) -> None:
    """Play many games between AGENTS at one table: which is better, and how certain is that?

    Every deal is played with each agent in each seat. The same command continues a match that was stopped; with a larger
    --games it plays only the missing games.

    \b
    Examples:
      arbiter match splendor new=./new.cpp old=./old.cpp --games 200
      arbiter match splendor new=greedy old=random --until "better(new,old)"
    """
    protocol, agents, settings = with_referee(referee, protocol, agents, take_settings(asked))
    given, agents = agents, tuple(expand_folders(agents, Path.cwd(), Workspace()))
    if len(agents) < 2:
        raise UserError(f"a match needs at least two agents; only {agents[0]!r} was given")
    most = games or (MOST_GAMES if asked["until"] else GAMES)
    seatings = len(orders(len(agents), "rotations", 0))
    definition = Definition(
        name=asked["name"] or "-".join([protocol, *map(_plain_name, agents)]),
        protocol=protocol,
        agents=agents,
        given=given,
        seats=len(agents),
        settings=settings,
        base=str(Path.cwd()),
    )
    schedule: dict[str, object] = {"kind": "round_robin", "games": -(-most // seatings) * seatings}
    if asked["seed"] is not None:
        schedule["seed"] = asked["seed"]
    contest_options.run_and_print(contest_options.make_named(definition, schedule, asked), asked)


def _plain_name(agent: str) -> str:
    """A name for a folder: ``new=./new.cpp`` is ``new``."""
    name, equals, what = agent.partition("=")
    return name if equals else Path(what or name).stem.replace("/", "_")[:30]
