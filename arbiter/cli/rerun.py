"""``arbiter rerun``: ask an agent the questions of saved games again."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from arbiter.author.debugging import debug_session, for_debugger, recorded_input, turn_to_debug, write_input
from arbiter.author.rerun import Rerunner, SeatRerun, Wanted
from arbiter.cli import common, completing, options
from arbiter.cli.builds import show_builds
from arbiter.cli.game_options import PlayingCommand, limit_options, some_settings, take_settings
from arbiter.cli.rerun_screen import document, print_one_turn, print_seat, print_summary
from arbiter.cli.values import TurnNumber
from arbiter.errors import UserError
from arbiter.records.reader import find, load
from arbiter.records.turn_numbers import TurnName, find_turn
from arbiter.registry import find as find_protocol
from arbiter.seat_names import seat_label
from arbiter.workspace import Workspace


@click.command("rerun", cls=PlayingCommand)
@click.argument("games", metavar="GAME", type=click.Path(path_type=Path))
@click.argument("agent", required=False, shell_complete=completing.agents)
@options.shared("seat", ": the questions to it.")
@options.shared("as", ": the questions to it.")
@options.shared("turn", ", with what was asked and answered in full.", type=TurnNumber(1))
@click.option(
    "--debug",
    is_flag=True,
    help="Start the agent under gdb, pdb, node --inspect or a JVM waiting for jdb, with its input; without a sandbox.",
)
@some_settings("limits", "clock", "sandbox")
@limit_options
@common.json_option
def command(
    games: Path,
    agent: str | None,
    seat: int | None,
    name: str | None,
    turn: TurnName | None,
    debug: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Ask the agents of GAME, a saved game or a folder of them, the same questions again.

    Shows where AGENT, by default the program that played, now answers differently. The recorded moves are applied
    whatever it answers, so all questions are the recorded ones; sandbox, limits and clock are those of the game, unless
    given.
    A long-lived agent gets all its prompts in order, also with --turn.

    \b
    Examples:
      arbiter rerun GAME                          is the agent deterministic?
      arbiter rerun GAME ./new.py --as old        what would the new version do?
      arbiter rerun GAME --seat 1 --turn 37       one question again
      arbiter rerun GAME --seat 1 --turn 37 --debug
      arbiter rerun matches/games ./new --as old  which decisions change?
    """
    show_builds(quiet=as_json)
    paths = find([games])
    if not paths:
        raise UserError(f"no saved game in {str(games)!r}")
    several = len(paths) > 1
    if several and (turn is not None or debug):
        raise UserError(f"{str(games)!r} holds {len(paths)} games: name one of them for --turn and --debug")
    number = _number(paths[0], turn) if turn else None
    wanted = Wanted(agent=agent, seat=seat, name=name, turn=number, settings=take_settings(settings))
    if debug:
        _debug(paths[0], replace(wanted, change=for_debugger))
        return
    reruns, skipped = _rerun(paths, wanted, quiet=as_json, one_turn=turn is not None)
    if as_json:
        common.print_json(document(reruns, skipped))
    else:
        print_summary(reruns, skipped, several=several)


def _number(path: Path, turn: TurnName) -> int:
    record = load(path)
    return find_turn(turn, record, find_protocol(record.header.protocol, Workspace()))


def _rerun(
    paths: list[Path], wanted: Wanted, *, quiet: bool, one_turn: bool
) -> tuple[list[SeatRerun], list[tuple[Path, str]]]:
    """Rerun all games, and print each seat as it is done. A single game that cannot be rerun is an error."""
    reruns: list[SeatRerun] = []
    skipped: list[tuple[Path, str]] = []
    workspace, noted = Workspace(), 0
    with Rerunner(wanted, workspace) as rerunner:
        for path in paths:
            try:
                for done in rerunner.rerun(path):
                    for note in rerunner.notes[noted:]:
                        click.echo(note, err=True)
                    noted = len(rerunner.notes)
                    reruns.append(done)
                    if not quiet:
                        print_one_turn(done, workspace) if one_turn else print_seat(
                            done, workspace, brief=len(paths) > 1
                        )
            except UserError as error:
                if len(paths) == 1:
                    raise
                skipped.append((path, str(error)))
    if not reruns:
        raise UserError(f"none of {common.count(len(paths), 'saved game')} can be rerun: {skipped[0][1]}")
    return reruns, skipped


def _debug(path: Path, wanted: Wanted) -> None:
    record, workspace = load(path), Workspace()
    protocol = find_protocol(record.header.protocol, workspace)
    with Rerunner(wanted, workspace) as rerunner:
        seat = rerunner.only_seat(record.header, protocol)
        turn = wanted.turn or turn_to_debug(record, seat)
        if not any((line.turn, line.seat) == (turn, seat) for line in record.answers):
            raise UserError(
                f"{seat_label(protocol, seat)} was not asked in turn {turn}; 'arbiter inputs' lists the turns"
            )
        entrant = rerunner.bench(record.header, seat, protocol).entrant
    data = recorded_input(record, protocol, seat, turn, per_move=entrant.lifetime == "move")
    session = debug_session(entrant, record.header, write_input(data, turn, seat))
    click.echo(f"turn {turn}, {seat_label(protocol, seat)}: {len(data)} bytes of input in {session.input}", err=True)
    for note in session.notes:
        click.echo(note, err=True)
    if session.debugger and sys.stdin.isatty() and sys.stdout.isatty():
        session.start()
    click.echo(session.command_line())
