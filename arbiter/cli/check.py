"""``arbiter check``: find out whether an agent is fit to play."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import groupby, repeat
from pathlib import Path
from typing import Any

import click

from arbiter.author.check import CheckSettings, check_agent
from arbiter.author.check_report import CheckReport, CheckResult, junit, rows
from arbiter.cli import common, completing, options, terminal
from arbiter.cli.builds import show_builds
from arbiter.cli.game_options import some_settings, take_settings
from arbiter.cli.grouped_help import GroupedCommand
from arbiter.cli.values import WholeNumber
from arbiter.config.workspace import Workspace
from arbiter.errors import EXIT_FOUND, UserError
from arbiter.text import count, prose, safe

_COLOURS = {"ok": "green", "warning": "yellow", "failed": "red", "left out": "bright_black"}
_COPIED = ("stderr", "input", "try", "or")
"""Rows that are never wrapped, so that they can be copied."""


@click.command("check", cls=GroupedCommand)
@click.argument("protocol", shell_complete=completing.protocols)
@click.argument("agent", shell_complete=completing.agents)
@click.option("--both-lifetimes", is_flag=True, help="Check it twice: started for each move, and once per game.")
@click.option(
    "--positions",
    default=60,
    type=WholeNumber(0),
    metavar="N",
    help="Number of unusual positions to try.  [default: 60]",
)
@click.option(
    "--only",
    "position",
    type=WholeNumber(0),
    metavar="N",
    help="Ask in the position with this number only; findings name it.",
)
@options.shared("games", " against itself, at most one per variant of the game.  [default: 8]", default=8)
@some_settings("limits", "lifetime", "sandbox", "time_factor")
@options.shared("save", " and inputs of what goes wrong.  [default: check-AGENT]")
@click.option(
    "--junit",
    "xml",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write JUnit XML for a CI server.",
)
@common.json_option
def command(
    protocol: str,
    agent: str,
    both_lifetimes: bool,
    positions: int,
    position: int | None,
    games: int,
    save: Path | None,
    xml: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Check whether AGENT is fit to play PROTOCOL.

    It is started in positions that are rare in games, plays whole games against itself, and is asked the questions of
    the longest one again. Every finding includes the exact input and a command that reproduces it.
    The exit status is 1 if a check fails; warnings do not count.

    \b
    Examples:
      arbiter check splendor ./my_bot.py
      arbiter check rails ./my_bot --junit check.xml
      arbiter check splendor greedy --both-lifetimes --positions 20
      arbiter check rails ./my_bot --only 7
    """
    if xml and not os.access(xml if xml.exists() else xml.parent, os.W_OK):
        raise UserError(f"--junit {str(xml)!r}: cannot be written; choose another file")
    show_builds(quiet=as_json)
    given = take_settings(settings)
    wanted = CheckSettings(
        lifetimes=("move", "game") if both_lifetimes else (),
        positions=positions,
        position=position,
        games=games,
        settings=given,
        save=save,
    )
    try:
        report = check_agent(protocol, agent, wanted, Workspace(), tell=terminal.progress)
    finally:
        terminal.progress("")
    if as_json:
        common.print_json(report)
    else:
        print_report(report)
    if xml:
        _write(xml, junit(report))
    if not report.passed:
        raise click.exceptions.Exit(EXIT_FOUND)


def _write(file: Path, data: bytes) -> None:
    try:
        file.write_bytes(data)
    except OSError as error:
        raise UserError(f"--junit {str(file)!r}: {error.strerror}") from None


def print_report(report: CheckReport) -> None:
    """Print a line for every check, and the findings below it."""
    several = len({check.lifetime for check in report.checks}) > 1
    for note in report.notes:
        terminal.note(note)
    for check in _joined(report.checks):
        _print_check(check, several=several)
    failed = sum(check.status == "failed" for check in report.checks)
    warned = sum(check.status == "warning" for check in report.checks)
    name = safe(report.agent, 40)
    verdict = f"{name} passes" if not failed else f"{name} fails {failed} of {count(len(report.checks), 'check')}"
    warnings = f", with {count(warned, 'warning')}" if warned else ""
    click.echo(f"\n{verdict}{warnings}")
    if report.folder:
        click.echo(f"inputs and games of what went wrong are in {common.display_path(report.folder)}")


def _joined(checks: Sequence[CheckResult]) -> Iterator[CheckResult]:
    """Yield the checks; consecutive ones that were left out for the same reason are merged."""
    for (status, why, lifetime), group in groupby(checks, lambda check: (check.status, check.summary, check.lifetime)):
        same = list(group)
        if status == "left out":
            yield CheckResult(
                name=", ".join(check.name for check in same), lifetime=lifetime, status=status, summary=why
            )
        else:
            yield from same


def _print_check(check: CheckResult, *, several: bool) -> None:
    mark = f"{check.status:<8}"
    what = f"{check.name} ({check.lifetime})" if several else check.name
    start = f"{mark}  {what:<{17 if several else 10}}  "
    line = prose(safe(check.summary, 1000), start, " " * len(start))
    click.echo(click.style(check.status, fg=_COLOURS[check.status]) + line.removeprefix(check.status))
    for finding in check.findings:
        click.echo("")
        for label, text in rows(finding):
            start = f"          {label:<8} "
            for line in map(safe, text.splitlines(), repeat(1000)):
                click.echo(start + line if label in _COPIED else prose(line, start, " " * 19))
    if check.findings:
        click.echo("")
