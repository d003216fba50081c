"""``arbiter tournament``: many agents, by any kind of schedule."""

from __future__ import annotations

from typing import Any

import click
import yaml

from arbiter.cli import common, contest_options
from arbiter.cli.match import terms_of
from arbiter.contest.definition import make_contest
from arbiter.errors import UserError
from arbiter.workspace import Workspace


@click.command("tournament")
@click.argument("protocol", shell_complete=common.complete_protocols)
@click.argument("agents", nargs=-1, required=True, shell_complete=common.complete_agents)
@click.option("--kind", "-k", default="round_robin", metavar="KIND", help="See below.  [round_robin]")
@click.option("--set", "parameters", multiple=True, metavar="NAME=VALUE", help="A parameter of the kind; repeatable.")
@click.option("--games", "-n", type=click.IntRange(1), help="Short for --set games=N.")
@click.option("--seats", type=click.IntRange(1), help="Agents at a table; two unless the game needs more.")
@contest_options.terms
@contest_options.running
def command(
    protocol: str,
    agents: tuple[str, ...],
    kind: str,
    parameters: tuple[str, ...],
    games: int | None,
    seats: int | None,
    **asked: Any,
) -> None:
    """Have AGENTS play each other. A folder stands for all the agents in it.

    Kinds: round_robin (all against all), gauntlet (one against all), swiss, knockout, ladder (keeps running), season
    (league and elimination), promotion (against a boss). What each can be told is in docs/contests.md.

    \b
    arbiter tournament splendor submissions/ --games 10
    arbiter tournament splendor submissions/ --kind swiss --set rounds=7
    arbiter tournament heroes bots/*.py --seats 4 --kind knockout
    """
    schedule: dict[str, object] = {"kind": kind, "seed": asked["seed"]}
    schedule |= {name: _value(text) for name, text in contest_options.pairs(parameters, "--set").items()}
    if games is not None:
        schedule["games"] = games
    if seats is not None:
        schedule["seats"] = seats
    terms = terms_of(protocol, agents, asked, seats=seats, name=f"{protocol}-{kind}")
    contest_options.run_and_tell(make_contest(terms, schedule, asked["save"] or Workspace().games), asked)


def _value(text: str) -> object:
    """As in a match file: a number is a number."""
    try:
        value: object = yaml.safe_load(text)
    except yaml.YAMLError:
        raise UserError(f"--set …={text!r}: must be a value as in a match file, such as 7 or true") from None
    return value
