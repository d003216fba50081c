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
from arbiter.cli.grouped_help import CLUSTER, RUNNING, headed_option
from arbiter.cli.terminal import progress
from arbiter.cli.values import Choice
from arbiter.cli.watching import wall_option, watch_option, watched
from arbiter.config.workspace import Workspace
from arbiter.contest.definition import CHANGED, Contest, Definition
from arbiter.contest.formats import FORMATS, formatter
from arbiter.contest.ledger import Ledger
from arbiter.contest.making import make_contest, stop_when
from arbiter.contest.naming import default_name
from arbiter.contest.players import MakePlayers
from arbiter.contest.progress import ContestProgress, RunResult
from arbiter.contest.reloading import Reload
from arbiter.contest.runner import run_contest
from arbiter.errors import EXIT_FOUND, UserError
from arbiter.output_files import write_whole
from arbiter.records.scoring import SCORINGS
from arbiter.text import safe

Command = Callable[..., None]


tls_options = (
    headed_option(
        CLUSTER,
        "--tls-ca",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="CA of the cluster's certificates, for TLS.",
    ),
    headed_option(
        CLUSTER, "--tls-cert", type=click.Path(path_type=Path), metavar="FILE", help="Certificate to connect with."
    ),
    headed_option(
        CLUSTER, "--tls-key", type=click.Path(path_type=Path), metavar="FILE", help="Private key of the certificate."
    ),
)


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
        click.option(
            "--scoring",
            type=Choice(SCORINGS),
            help="Points of a game: places (share of opponents ranked behind) or winner (1 for the winner, shared if tied, "
            "0 for the others).  [default: places]",
        ),
        options.shared(
            "seed", ", or of the first of several; agents can predict the deals.  [default: derived from a secret]"
        ),
    )


def running(command: Command) -> Command:
    """Add the options for running a contest."""
    return _with_options(
        printing(command),
        headed_option(
            RUNNING,
            "--until",
            metavar="QUESTION",
            help="Stop when the question is settled: better(A,B), precision(20), games(500).",
        ),
        options.shared("workers", ".  [default: one per core]", heading=RUNNING),
        headed_option(
            CLUSTER,
            "--cluster",
            metavar="ADDRESS",
            help="Play on the Dask cluster with this scheduler: its address, or a scheduler file.",
        ),
        *tls_options,
        headed_option(
            RUNNING,
            "--retry-technical",
            is_flag=True,
            help="Replay games that failed for technical reasons, up to 3 times each.",
        ),
        headed_option(
            RUNNING,
            "--pause",
            is_flag=True,
            help="Stop after every round or stage; the same command continues with the next one.",
        ),
        headed_option(
            RUNNING,
            "--weaker-sandbox",
            is_flag=True,
            help="Continue at a weaker sandbox level than that of the games so far.",
        ),
        headed_option(
            RUNNING,
            "--changed",
            type=Choice(CHANGED),
            default="refuse",
            help="What to do with games of agents whose programs have changed since.  [default: refuse]",
        ),
        options.shared("save", "; each contest gets a subfolder of its name."),
        watch_option,
        wall_option,
    )


def printing(command: Command) -> Command:
    """Add the options for printing a result."""
    return _with_options(
        command,
        click.option(
            "--format",
            "-f",
            "format_name",
            type=Choice(FORMATS),
            default="text",
            help="Format of the result.  [default: text]",
        ),
        options.shared("output"),
        click.option(
            "--plots",
            type=click.Path(path_type=Path, file_okay=False),
            metavar="FOLDER",
            help="Write plots (SVG) to this folder.",
        ),
        click.option(
            "--pages",
            is_flag=True,
            help="With --format html --output FILE: write a page for each game, too, and link to it.",
        ),
        options.shared("json", "; same as --format json."),
        options.shared("quiet", ": nothing but the result."),
    )


def make_named(definition: Definition, schedule: Mapping[str, object], asked: Mapping[str, Any]) -> Contest:
    """Make a contest given by flags; without --name, under a name that no other contest has."""
    save = asked["save"] or Workspace().games
    if not asked["name"]:
        definition = msgspec.structs.replace(definition, name=default_name(definition.name, definition, save))
    show_builds(quiet=asked["quiet"])
    if asked["scoring"]:
        schedule = {**schedule, "scoring": asked["scoring"]}
    return make_contest(definition, schedule, save)


def format_of(asked: Mapping[str, Any]) -> str:
    """Return the format of the result. Raises UserError for two different ones."""
    if asked["as_json"] and asked["format_name"] not in ("text", "json"):
        raise UserError(f"--json and --format {asked['format_name']} cannot be combined; choose one")
    return "json" if asked["as_json"] else str(asked["format_name"])


def run_and_print(contest: Contest, asked: Mapping[str, Any], reload: Reload | None = None) -> None:
    """Run a contest with the options of :func:`running`, and print its result."""
    if asked["pages"]:
        from arbiter.cli.game_pages import check_pages

        check_pages(format_of(asked), asked["output"])
    name = format_of(asked)
    contest = replace(
        contest,
        pause=asked["pause"] or contest.pause,
        workers=asked["workers"] or contest.workers,
        retry_technical=asked["retry_technical"] or contest.retry_technical,
        weaker_sandbox=asked["weaker_sandbox"],
        changed=asked["changed"],
    )
    if asked["until"]:
        contest = stop_when(contest, asked["until"])
    workers = contest.workers or len(os.sched_getaffinity(0))
    with watched(asked["in_browser"], contest.folder, wall=asked["wall"], workers=workers):
        with _players(contest, asked) as players, ContestScreen(contest, quiet=asked["quiet"]) as screen:

            def observe(progress: ContestProgress, ledger: Ledger) -> None:
                screen.update(progress, ledger)
                if progress.in_hand:
                    formatter(name)  # imports its modules while workers play and this process is idle

            result = run_contest(contest, observe, reload, players)
        print_result(contest, result, asked)
    if result.progress.stopping and not result.complete:
        sys.exit(128 + signal.SIGINT)
    if result.progress.not_played:
        sys.exit(EXIT_FOUND)


@contextlib.contextmanager
def _players(contest: Contest, asked: Mapping[str, Any]) -> Iterator[MakePlayers | None]:
    """What plays the games: a cluster with --cluster, else (None) this machine."""
    if not asked["cluster"]:
        if any(asked[name] for name in ("tls_ca", "tls_cert", "tls_key")):
            raise UserError("--tls-ca, --tls-cert and --tls-key are for --cluster")
        yield None
        return
    if contest.plan and contest.plan.keep_files:
        raise UserError("--keep-files keeps files on this machine, and cannot be used with --cluster")
    if contest.plan and (why := contest.plan.protocol.unavailable.get("cluster")):
        raise UserError(f"{why}, and cannot be used with --cluster")
    from arbiter.cluster.connect import Tls
    from arbiter.cluster.players import cluster_players

    tls = Tls(asked["tls_ca"], asked["tls_cert"], asked["tls_key"])
    allow = contest.definition.settings.allow_uncontained_build
    with contextlib.ExitStack() as stack:
        progress("" if asked["quiet"] else f"connecting to {safe(asked['cluster'])} …")
        try:
            players = stack.enter_context(
                cluster_players(asked["cluster"], tls, most=contest.workers, allow_uncontained=allow)
            )
        finally:
            progress("")
        yield players


def print_result(contest: Contest, result: RunResult, asked: Mapping[str, Any]) -> None:
    """Print a result with the options of :func:`printing`."""
    from arbiter.contest.report import build_report

    name = format_of(asked)
    document = build_report(contest, result, beside=asked["output"].absolute().parent if asked["output"] else None)
    if name == "text" and contest.plan and not asked["output"]:  # the screen has shown these, unless --quiet
        shown = [note for note in document.notes if note not in contest.plan.notes]
        document = msgspec.structs.replace(document, notes=shown)
    if asked["pages"]:
        from arbiter.cli.game_pages import with_pages

        document = with_pages(document, name, asked["output"])
    text = formatter(name)(document)
    if asked["output"]:
        write_whole(asked["output"], click.unstyle(text))
        click.echo(f"written  {common.display_path(asked['output'])}", err=True)
    else:
        click.echo(text.rstrip("\n"))
    if asked["plots"]:
        from arbiter.contest.formats.plots import write_plots  # as slow to import as all of the rest

        for path in write_plots(document, asked["plots"]):
            click.echo(f"written  {common.display_path(path)}", err=True)
    if name == "text" and not asked["quiet"]:
        folder = common.quoted_path(contest.folder)
        click.echo(f"\nsaved    {folder}\nlook     {common.this_command()} games {folder}", err=False)
