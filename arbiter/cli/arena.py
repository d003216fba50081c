"""``arbiter arena``: a server for games with agents on other machines."""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from arbiter.cli import common, options
from arbiter.cli.game_options import some_settings, take_settings
from arbiter.cli.grouped_help import GroupedCommand
from arbiter.cli.remote_seats import time_ns
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import quoted
from arbiter.records.folder_lock import held
from arbiter.records.reader import read_file
from arbiter.web.serve import listen


@click.command("arena", cls=GroupedCommand)
@click.argument("file", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder for records, teams and created games.  [default: arena in the folder of saved games]",
)
@options.shared("host", ".  [default: 127.0.0.1]")
@options.shared("port", ".  [default: 9000]", default=9000)
@options.shared("tls", "; for https, the last two.")
@click.option(
    "--queue-protocol",
    "protocol",
    metavar="NAME",
    help="Protocol for clients that do not name one.  [default: the first whose contest had a server of its own]",
)
@click.option(
    "--house",
    multiple=True,
    metavar="AGENT",
    help="Agent that fills free seats in training games and in the queue. Repeatable.  [default: random]",
)
@options.shared("join_time", ".  [default: 60s]")
@options.shared("allowance", ".  [default: 0ms]")
@click.option(
    "--measured-allowance",
    is_flag=True,
    help="Also add twice each team's round trip, measured when it joins, to its time limits; at most 500ms.",
)
@click.option("--hide-results", is_flag=True, help="Show official games only when the organiser publishes them.")
@click.option(
    "--teams",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Register the new teams in this file (a name per line, or CSV), and print their keys.",
)
@click.option("--uploads", is_flag=True, help="Let teams upload programs, which are built and run here in the sandbox.")
@click.option(
    "--let-play",
    metavar="TEAM=VERSION",
    help="Set which uploaded version plays for a team from its next game on, and exit. 0: the program that the team runs itself.",
)
@click.option(
    "--server-name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Another name by which clients reach this server, such as that of a proxy. Repeatable.",
)
@click.option("--title", default="Arena", metavar="TEXT", help="Title of the public pages.  [default: Arena]")
@some_settings("options", "limits", "sandbox")
def command(
    file: Path | None,
    folder: Path | None,
    host: str,
    port: int,
    tls: Path | None,
    protocol: str | None,
    house: tuple[str, ...],
    join_time: str,
    allowance: str,
    measured_allowance: bool,
    hide_results: bool,
    teams: Path | None,
    uploads: bool,
    let_play: str | None,
    names: tuple[str, ...],
    title: str,
    **asked: Any,
) -> None:
    """Run a server where agents on other machines play over HTTP. Ctrl-C ends it.

    With a match FILE, whose agents are teams ('remote:TEAM') and house agents, the organiser opens its rounds one by one.

    Clients of a contest whose server the protocol imitates play unchanged; agents of any protocol play through the general interface.

    \b
    Examples:
      arbiter arena
      arbiter arena --host 0.0.0.0 --teams teams.txt --house random --house steady
    """
    workspace = Workspace()
    folder = (folder or workspace.games / "arena").absolute()
    certificate, private_key = (tls / "cert.pem", tls / "key.pem") if tls else (None, None)
    from arbiter.arena.app import Arena
    from arbiter.arena.config import ArenaConfig, check_settings, default_queue, house_agents
    from arbiter.arena.current_contest import MatchFiles
    from arbiter.arena.serve import check_certificate, hosts_of, make_arena_server, organiser_token, prepare_process
    from arbiter.arena.store import Store

    database = folder / "arena.sqlite"
    if let_play is not None:
        _let_play(database, let_play)
        return
    if certificate and private_key:
        check_certificate(certificate, private_key)
    token = organiser_token(folder)
    protocol = protocol or default_queue(workspace)
    busy = f"{folder} is in use: another arena runs there; choose another folder with --folder"
    click.get_current_context().with_resource(held(folder, os.O_RDONLY | os.O_DIRECTORY, busy=busy))
    if teams:
        _register(Store(database), teams)
    config = ArenaConfig(
        workspace,
        take_settings(asked),
        folder,
        time_ns("--allowance", allowance),
        protocol,
        house_agents(workspace, protocol, house),
        time_ns("--join-time", join_time) / 1e9,
        uploads=uploads,
        hide_results=hide_results,
        by_round_trip=measured_allowance,
    )
    if file:  # mistakes in it are found before the server starts
        definition = MatchFiles(config, Store(database)).given(file).definition
        config = replace(config, queue_protocol=definition.protocol)
    check_settings(config)
    address = listen(host, port)
    own, *others = [f"{name}:{address.port}" for name in hosts_of(host)]
    scheme = "https" if certificate else "http"
    arena = Arena(
        config,
        database,
        token,
        own,
        title,
        match_file=file,
        names=names,
    )

    def started() -> None:
        click.echo(f"{click.style('arena', bold=True)}      {scheme}://{own}   (Ctrl-C to stop)")
        for other in others:
            click.echo(f"           {scheme}://{other}")
        click.echo(f"organiser  {scheme}://{own}/organiser#{token}")
        click.echo(f"projector  {scheme}://{own}/wall")
        click.echo(f"games      {common.display_path(folder / 'games')}")

    prepare_process()
    server = make_arena_server(arena, certificate, private_key, started)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[address.listening])


def _let_play(database: Path, given: str) -> None:
    """Choose a version in the arena's file, which a running server reads again for every game."""
    from arbiter.arena.store import Store

    team, _, version = given.rpartition("=")
    if not team or not version.isdecimal():
        raise UserError(f"--let-play {given!r}: write the team's name and the number of a version, as in Alpha=3")
    if not database.is_file():
        raise UserError(f"there is no arena in {str(database.parent)!r}; name its folder with --folder")
    store = Store(database)
    store.choose_upload(team, int(version))
    store.log("command line", f"chose version {int(version)} of team {team!r}")
    store.close()
    who = f"version {int(version)}" if int(version) else "the program that it runs itself"
    click.echo(f"{quoted(team)} plays with {who} from its next game on")


def _register(store: Any, file: Path) -> None:
    from arbiter.arena.registration import names_in, register_all, spreadsheet_text

    try:
        done = register_all(store, names_in(spreadsheet_text(read_file(file))))
    except UserError as error:
        raise error.in_file(file) from None
    store.close()
    if done.refused:
        click.echo("\n".join(done.refused), err=True)
    if done.keys:
        click.echo(click.style("key       team", bold=True))
    for name, key in done.keys.items():
        click.echo(f"{key}  {name}")
