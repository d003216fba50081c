"""What the commands that run contests share: their options, and how a contest is run and told."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from arbiter.cli import common
from arbiter.cli.contest_screen import Screen
from arbiter.contest.definition import CHANGED, Contest, ask
from arbiter.contest.formats import FORMATS
from arbiter.contest.runner import Ending, Reload, run
from arbiter.errors import EXIT_FOUND, UserError, wrong_value


def terms(function: Callable[..., None]) -> Callable[..., None]:
    """Options on how games are played, as for ``arbiter play``."""
    for option in (
        click.option("--option", "-o", "options", multiple=True, metavar="NAME=VALUE", help="Of the game; repeatable."),
        click.option(
            "--limit", "-l", "limits", multiple=True, metavar="NAME=VALUE", help="Such as move=2s; repeatable."
        ),
        click.option("--lifetime", metavar="move|game", help="How long an agent's process lives."),
        click.option("--clock", metavar="fair|wall|cpu", help="What is charged."),
        click.option("--sandbox", metavar="LEVEL", help="At least this containment; see 'arbiter doctor'."),
        click.option("--ponder/--no-ponder", default=None, help="Whether agents may think out of their turn."),
        click.option("--time-factor", default=1.0, metavar="X", help="Multiply all times."),
        click.option("--name", metavar="NAME", help="Of the contest, and of the folder its games are saved in."),
        click.option("--seed", "-s", default=1, type=click.IntRange(0), help="Of the first deal.  [1]"),
    ):
        function = option(function)
    return function


def running(function: Callable[..., None]) -> Callable[..., None]:
    """Options on how a contest is run."""
    for option in (
        click.option(
            "--until", metavar="QUESTION", help="Stop when it is settled: better(A,B), precision(20), games(500)."
        ),
        click.option("--workers", "-w", type=click.IntRange(1), help="Games at a time; one for each core unless told."),
        click.option("--retry-technical", is_flag=True, help="Play games again that the machine has spoilt."),
        click.option("--weaker-sandbox", is_flag=True, help="Go on though agents are contained less well than before."),
        click.option(
            "--changed", type=click.Choice(CHANGED), default="refuse", help="Games of an agent that has changed."
        ),
        click.option(
            "--save",
            type=click.Path(path_type=Path, file_okay=False),
            help="Folder for contests; each has its own in it.",
        ),
    ):
        function = option(function)
    return shown(function)


def shown(function: Callable[..., None]) -> Callable[..., None]:
    """Options on what is printed."""
    for option in (
        click.option(
            "--format", "-f", "shape", type=click.Choice(FORMATS), default="text", help="Of the result.  [text]"
        ),
        click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="File for the result."),
        click.option("--plots", type=click.Path(path_type=Path, file_okay=False), help="Folder for pictures (SVG)."),
        click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
        click.option("--quiet", "-q", is_flag=True, help="Nothing but the result."),
    ):
        function = option(function)
    return function


def pairs(texts: tuple[str, ...], what: str) -> dict[str, Any]:
    """From ``NAME=VALUE`` words."""
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise wrong_value(what, text, "NAME=VALUE")
        found[name] = value
    return found


def run_and_tell(contest: Contest, asked: Mapping[str, Any], reload: Reload | None = None) -> None:
    """Run a contest with the options of :func:`running`, and print what came of it."""
    contest = replace(
        contest,
        workers=asked["workers"] or contest.workers,
        retry_technical=asked["retry_technical"] or contest.retry_technical,
        weaker_sandbox=asked["weaker_sandbox"],
        changed=asked["changed"],
    )
    if asked["until"]:
        contest = ask(contest, asked["until"])
    with Screen(contest, quiet=asked["quiet"]) as screen:
        ending = run(contest, screen.update, reload)
    tell(contest, ending, asked)
    if ending.progress.stopping and not ending.complete:
        sys.exit(128 + signal.SIGINT)
    if ending.progress.not_played:
        sys.exit(EXIT_FOUND)


def tell(contest: Contest, ending: Ending, asked: Mapping[str, Any]) -> None:
    """Print the result in the shape asked for."""
    from arbiter.contest.formats import formatter
    from arbiter.contest.formats.plots import write_plots
    from arbiter.contest.report import report

    name = "json" if asked["as_json"] else asked["shape"]
    document = report(contest, ending, beside=asked["output"].absolute().parent if asked["output"] else None)
    text = formatter(name)(document)
    if asked["output"]:
        try:
            asked["output"].write_text(click.unstyle(text), encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write {asked['output']}: {error.strerror}") from None
        click.echo(f"written  {common.display_path(asked['output'])}", err=True)
    else:
        click.echo(text.rstrip("\n"))
    if asked["plots"]:
        for path in write_plots(document, asked["plots"]):
            click.echo(f"written  {common.display_path(path)}", err=True)
    if name == "text" and not asked["quiet"]:
        folder = common.quoted_path(contest.folder)
        click.echo(f"\nsaved    {folder}\nlook     {common.this_command()} games {folder}", err=False)
