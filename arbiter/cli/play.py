"""``arbiter play``: play games between agents in this terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arbiter.api import random_seed
from arbiter.cli import common, completing, explain, options, terminal
from arbiter.cli.builds import show_builds
from arbiter.cli.game_options import game_settings, take_settings
from arbiter.cli.grouped_help import SETTINGS, GroupedCommand, headed_option
from arbiter.cli.play_screen import PlayScreen
from arbiter.cli.referee_option import referee_option, with_referee
from arbiter.cli.remote_seats import RemoteOptions, remote_agents, remote_options, with_house_agents
from arbiter.cli.watching import browser_option, shown_in_browser
from arbiter.errors import EXIT_FOUND, UserError
from arbiter.playing.planning import make_plan
from arbiter.playing.report import PlayReport, never_started
from arbiter.playing.series import play_series
from arbiter.records.addresses import place
from arbiter.records.writer import make_games_folder


@click.command("play", cls=GroupedCommand)
@click.argument("protocol", shell_complete=completing.protocols)
@click.argument("agents", nargs=-1, required=True, shell_complete=completing.agents)
@options.shared("games", "; seats rotate, each seed with every rotation.  [default: 1]", default=1)
@options.shared("seed", ", or of the first of several.  [default: random]")
@referee_option
@game_settings
@click.option("--setup", metavar="GAME", help="Start from the setup of this game, or of a file with one.")
@options.shared("save")
@click.option(
    "--explain",
    "explain_only",
    is_flag=True,
    help="Show agents and limits, and where each comes from.",
)
@headed_option(SETTINGS, "--fail-on-fault", is_flag=True, help="Exit with status 1 if any agent faults.")
@common.json_option
@options.shared("quiet", ": just the total.")
@options.shared("verbose", ": every move as it is made.")
@options.shared("watch")
@browser_option
@remote_options
def command(
    protocol: str,
    agents: tuple[str, ...],
    games: int,
    seed: int | None,
    setup: str | None,
    save: Path | None,
    explain_only: bool,
    fail_on_fault: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    in_browser: bool,
    by_browser: bool,
    referee: str | None,
    host: str,
    port: int,
    join_time: str,
    allowance: str,
    **asked: Any,
) -> None:
    """Play games of PROTOCOL between AGENTS, one for each seat.

    An AGENT is an executable, a source file, a folder with agent.yaml, a quoted command line, a name from
    arbiter.toml, 'git:REF:PATH' as of a commit, 'human', or 'remote:TEAM' on another machine. NAME= in front names it.

    \b
    Examples:
      arbiter play splendor greedy random
      arbiter play splendor ./new.cpp old=./old.cpp --games 20 --seed 1
      arbiter play splendor human greedy --browser    play yourself
      arbiter play rails ./my.py strong --move 200ms  with more time to think
      arbiter play heroes ./bot remote:Alpha --host 0.0.0.0
    """
    show_builds(quiet=quiet)
    protocol, agents, settings = with_referee(referee, protocol, agents, take_settings(asked))
    agents, filled = with_house_agents(protocol, agents)
    plan = make_plan(protocol, agents, settings, setup=place(setup) if setup else None, save=save)
    remote = RemoteOptions(host, port, join_time, allowance)
    if explain_only:
        explain.print_plan(plan, as_json)
        return
    if seed is None:
        seed = plan.given.seed if plan.given and plan.given.seed is not None else random_seed()
    if as_json:
        with (
            shown_in_browser(plan, watch=in_browser, play=by_browser) as pages,
            remote_agents(plan, remote) as gather,
        ):
            report = play_series(
                plan, games=games, seed=seed, on_record=pages.on_record, person=pages.person, gather=gather
            )
        common.print_json(report)
        _exit(report, fail_on_fault)
        return
    if not quiet:
        for note in [*filled, *plan.notes]:
            terminal.note(note)
    make_games_folder(plan.save)
    with shown_in_browser(plan, watch=in_browser, play=by_browser) as pages:
        while True:
            with remote_agents(plan, remote) as gather:
                screen = PlayScreen(plan, games, seed, quiet=quiet)
                watch = screen.move if verbose else None
                try:
                    report = play_series(
                        plan,
                        games=games,
                        seed=seed,
                        watch=watch,
                        on_game=screen.game_over,
                        on_record=pages.on_record,
                        person=pages.person,
                        gather=gather,
                    )
                except KeyboardInterrupt:
                    screen.interrupted()
                    raise
                screen.finish(report)
            if not pages.rematch():
                break
            seed += games
    _exit(report, fail_on_fault)


def _exit(report: PlayReport, fail_on_fault: bool) -> None:
    if reason := never_started(report):
        raise UserError(f"no agent could be started: {reason}; 'arbiter doctor' shows what this machine supports")
    if fail_on_fault and any(game.faults for game in report.games):
        raise click.exceptions.Exit(EXIT_FOUND)
