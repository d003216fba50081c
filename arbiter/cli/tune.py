"""``arbiter tune``: find better values for the parameters of an agent."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from arbiter.cli import common, options
from arbiter.cli.builds import show_builds
from arbiter.cli.contest_screen import ContestScreen
from arbiter.cli.values import Choice
from arbiter.config.workspace import Workspace
from arbiter.contest.definition import CHANGED, Changed, Contest
from arbiter.contest.progress import RunResult
from arbiter.errors import UserError
from arbiter.output_files import write_whole

if TYPE_CHECKING:
    from arbiter.author.tune_report import TuneReport


@click.command("tune")
@click.argument("file", type=click.Path(path_type=Path))
@options.shared("workers", ".  [default: one per core]")
@options.shared("changed", ".  [default: refuse]", type=Choice(CHANGED))
@options.shared("save", "; each tuning gets a subfolder of its name.")
@options.shared("output", ": as a page if it ends in .html.")
@common.json_option
@options.shared("quiet", ": nothing but the result.")
def command(
    file: Path,
    workers: int | None,
    changed: Changed,
    save: Path | None,
    output: Path | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Search for better values of the parameters of the agent that FILE describes, and confirm them in a match.

    Candidates play a field of opponents on the same deals; the better ones play on, the best values play the defaults on
    fresh deals. The result is better, not better, or not yet. The same command continues a tuning that was stopped, and
    plays nothing if it is complete.

    \b
    Examples:
      arbiter tune mybot.yaml
      arbiter tune mybot.yaml --output tuning.html
    """
    from arbiter.author.tune import tune
    from arbiter.author.tune_file import load_tuning

    tuning = load_tuning(file)
    show_builds(quiet=quiet)

    def play(contest: Contest) -> RunResult:
        from arbiter.contest.runner import run_contest

        contest = replace(contest, workers=workers or contest.workers, changed=changed)
        if not quiet:
            click.echo(click.style(f"{contest.definition.name}: {len(contest.names)} agents", bold=True), err=True)
        with ContestScreen(contest, quiet=quiet) as screen:
            return run_contest(contest, screen.update)

    report = tune(tuning, save or Workspace().games, play)
    _print(report, as_json, output)
    if report.interrupted:
        sys.exit(128 + signal.SIGINT)


def _print(report: TuneReport, as_json: bool, output: Path | None) -> None:
    from arbiter.author.tune_formats import as_html, tune_text
    from arbiter.text import prose, terminal_width

    if as_json:
        text = msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
    elif output and output.suffix == ".html":
        text = as_html(report)
    else:
        text = f"{tune_text(report, terminal_width())}\n\n{prose(report.conclusion())}\nsaved    {common.quoted_path(report.folder)}"
    if output is None:
        click.echo(text.rstrip("\n"))
        return
    _write(output, text)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None
    write_whole(path, text if text.endswith("\n") else f"{text}\n")
    click.echo(f"written  {common.display_path(path)}", err=True)
