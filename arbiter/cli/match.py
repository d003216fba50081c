"""``arbiter match``: the same agents again and again, until it is clear who is better."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arbiter.cli import common, contest_options
from arbiter.contest.definition import Terms, make_contest
from arbiter.contest.entries import unpack
from arbiter.contest.schedules.seating import orders
from arbiter.workspace import Workspace

GAMES = 100
MOST_GAMES = 2000
"""With --until, when nothing settles it before."""


@click.command("match")
@click.argument("protocol", shell_complete=common.complete_protocols)
@click.argument("agents", nargs=-1, required=True, shell_complete=common.complete_agents)
@click.option("--games", "-n", type=click.IntRange(1), help=f"At most; {GAMES}, or {MOST_GAMES} with --until.")
@contest_options.terms
@contest_options.running
def command(protocol: str, agents: tuple[str, ...], games: int | None, **asked: Any) -> None:
    """Play many games between AGENTS at one table: which is better, and how sure is that?

    Every deal is played with each agent in each seat. The same command goes on where it was stopped, and with more
    --games plays just what is missing.

    \b
    arbiter match splendor new=./new.cpp old=./old.cpp --games 200
    arbiter match splendor new=./new.cpp old=./old.cpp --until "better(new,old)"
    """
    agents = tuple(unpack(agents, Path.cwd(), Workspace()))
    most = games or (MOST_GAMES if asked["until"] else GAMES)
    seatings = len(orders(len(agents), "rotations", 0))
    terms = terms_of(protocol, agents, asked, seats=len(agents), name="-".join([protocol, *map(_plain, agents)]))
    schedule = {"kind": "round_robin", "games": -(-most // seatings) * seatings, "seed": asked["seed"]}
    contest_options.run_and_tell(make_contest(terms, schedule, asked["save"] or Workspace().games), asked)


def terms_of(protocol: str, agents: tuple[str, ...], asked: dict[str, Any], *, seats: int | None, name: str) -> Terms:
    """The terms that the options ask for."""
    return Terms(
        name=asked["name"] or name,
        protocol=protocol,
        agents=agents,
        seats=seats,
        options=contest_options.pairs(asked["options"], "option"),
        limits=contest_options.pairs(asked["limits"], "limit"),
        lifetime=asked["lifetime"],
        clock=asked["clock"],
        sandbox=asked["sandbox"],
        ponder=asked["ponder"],
        time_factor=asked["time_factor"],
        base=str(Path.cwd()),
    )


def _plain(agent: str) -> str:
    """A name for a folder: ``new=./new.cpp`` is ``new``."""
    name, equals, what = agent.partition("=")
    return name if equals else Path(what or name).stem.replace("/", "_")[:30]
