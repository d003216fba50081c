"""Shared by the commands that run contests: their options, running a contest and printing its result."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import msgspec

from arbiter.cli import common, options
from arbiter.cli.builds import show_builds
from arbiter.cli.contest_screen import ContestScreen
from arbiter.cli.grouped_help import RUNNING, headed_option
from arbiter.cli.terminal import progress
from arbiter.cli.values import Choice
from arbiter.cli.watching import watched
from arbiter.config.workspace import Workspace
from arbiter.contest.definition import CHANGED, Contest, Definition
from arbiter.contest.formats import formatter
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest, stop_when
from arbiter.contest.naming import default_name
from arbiter.contest.players import MakePlayers
from arbiter.contest.progress import ContestProgress, RunResult
from arbiter.contest.reloading import Reload
from arbiter.contest.runner import run_contest
from arbiter.errors import EXIT_FOUND, UserError
from arbiter.output_files import write_whole
from arbiter.text import safe

Command = Callable[..., None]


def _with_options(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Add options, which appear in --help in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def naming(command: Command) -> Command:
    """Add the options of a contest that is given by flags."""
    return _with_options(
        command,
        click.option("--name", metavar="NAME", help="Name of the contest, and of the folder its games are saved in."),
        options.shared(
            "seed", ", or of the first of several; agents can predict the deals.  [default: derived from a secret]"
        ),
    )


def running(command: Command) -> Command:
    """Add the options for running a contest."""
    return _with_options(
        command,
        click.option(
            "--until",
            metavar="QUESTION",
            help="Stop when the question is settled: better(A,B), precision(20), games(500).",
        ),
        options.shared("workers", ".  [default: one per core]"),
        options.shared("save", "; each contest gets a subfolder of its name."),
        options.shared("watch"),
        options.shared("json"),
        options.shared("quiet", ": nothing but the result."),
        headed_option(
            RUNNING,
            "--cluster",
            metavar="ADDRESS",
            help="Play on the Dask cluster with this scheduler: its address, or a scheduler file.",
        ),
        options.shared("tls", ", for --cluster.", heading=RUNNING),
        options.shared("changed", ".  [default: refuse]", type=Choice(CHANGED), heading=RUNNING),
    )


def make_named(definition: Definition, schedule: Mapping[str, object], asked: Mapping[str, Any]) -> Contest:
    """Make a contest given by flags; without --name, under a name that no other contest has."""
    save = asked["save"] or Workspace().games
    if not asked["name"]:
        definition = msgspec.structs.replace(definition, name=default_name(definition.name, definition, save))
    show_builds(quiet=asked["quiet"])
    return make_contest(definition, schedule, save)


def run_and_print(contest: Contest, asked: Mapping[str, Any], reload: Reload | None = None) -> None:
    """Run a contest with the options of :func:`running`, and print its result."""
    name = "json" if asked["as_json"] else "text"
    contest = replace(
        contest,
        workers=asked["workers"] or contest.workers,
        changed=asked["changed"],
    )
    if asked["until"]:
        contest = stop_when(contest, asked["until"])
    workers = contest.workers or len(os.sched_getaffinity(0))
    with watched(asked["in_browser"], contest.folder, workers=workers):
        with _players(contest, asked) as players, ContestScreen(contest, quiet=asked["quiet"]) as screen:

            def observe(progress: ContestProgress, ledger: Ledger) -> None:
                screen.update(progress, ledger)
                if progress.in_hand:
                    formatter(name)  # imports its modules while workers play and this process is idle

            result = run_contest(contest, observe, reload, players)
        print_result(contest, result, name, quiet=asked["quiet"])
    if result.progress.stopping and not result.complete:
        sys.exit(128 + signal.SIGINT)
    if result.progress.not_played:
        sys.exit(EXIT_FOUND)


@contextlib.contextmanager
def _players(contest: Contest, asked: Mapping[str, Any]) -> Iterator[MakePlayers | None]:
    """What plays the games: a cluster with --cluster, else (None) this machine."""
    if not asked["cluster"]:
        if asked["tls"]:
            raise UserError("--tls is for --cluster")
        yield None
        return
    if contest.plan and contest.plan.keep_files:
        raise UserError("--keep-files keeps files on this machine, and cannot be used with --cluster")
    if contest.plan and (why := contest.plan.protocol.unavailable.get("cluster")):
        raise UserError(f"{why}, and cannot be used with --cluster")
    from arbiter.cluster.players import cluster_players

    allow = contest.definition.settings.allow_uncontained_build
    with contextlib.ExitStack() as stack:
        progress("" if asked["quiet"] else f"connecting to {safe(asked['cluster'])} …")
        try:
            players = stack.enter_context(
                cluster_players(asked["cluster"], asked["tls"], most=contest.workers, allow_uncontained=allow)
            )
        finally:
            progress("")
        yield players


def print_result(
    contest: Contest,
    result: RunResult,
    format_name: str,
    *,
    output: Path | None = None,
    plots: Path | None = None,
    pages: bool = False,
    quiet: bool = False,
    verbose: bool = False,
) -> None:
    """Print a result, or write it to a file."""
    from arbiter.contest.report import build_report

    document = build_report(contest, result, beside=output.absolute().parent if output else None)
    if format_name == "text" and contest.plan and not output:  # the screen has shown these, unless --quiet
        shown = [note for note in document.notes if note not in contest.plan.notes]
        document = msgspec.structs.replace(document, notes=shown)
    if pages:
        from arbiter.cli.game_pages import with_pages

        document = with_pages(document, format_name, output)
    text = formatter(format_name)(document)
    if format_name == "text" and verbose:
        from arbiter.contest.formats.text import provenance

        text = f"{text.rstrip()}\n\n{provenance(document)}"
    if output:
        write_whole(output, click.unstyle(text))
        click.echo(f"written  {common.display_path(output)}", err=True)
    else:
        click.echo(text.rstrip("\n"))
    if plots:
        from arbiter.contest.formats.plots import write_plots  # as slow to import as all of the rest

        for path in write_plots(document, plots):
            click.echo(f"written  {common.display_path(path)}", err=True)
    if format_name == "text" and not quiet:
        folder = common.quoted_path(contest.folder)
        click.echo(f"\nsaved    {folder}\nlook     {common.this_command()} games {folder}", err=False)
