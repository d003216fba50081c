"""``arbiter rerun``: ask an agent the questions of saved games again."""

from __future__ import annotations

import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from arbiter.author.debugging import debug_session, for_debugger, recorded_input, turn_to_debug, write_input
from arbiter.author.rerun import Rerunner, RerunRequest
from arbiter.author.rerun_games import rerun_games
from arbiter.author.rerun_report import GameRerun, RerunReport, sum_up
from arbiter.cli import common, completing, options, terminal
from arbiter.cli.builds import show_builds
from arbiter.cli.game_options import some_settings, take_settings
from arbiter.cli.grouped_help import GroupedCommand
from arbiter.cli.rerun_screen import print_one_turn, print_seat
from arbiter.cli.rerun_summary import print_many
from arbiter.cli.values import TurnNumber
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.addresses import games_at, games_lost_at
from arbiter.records.reader import load_record
from arbiter.records.turn_numbers import TurnName, find_turn
from arbiter.registry import find_protocol
from arbiter.seat_names import seat_label
from arbiter.text import count


@click.command("rerun", cls=GroupedCommand)
@click.argument("games", metavar="GAME")
@click.argument("agent", required=False, shell_complete=completing.agents)
@options.shared("seat", ": the questions to it.")
@options.shared("as", ": the questions to it.")
@options.shared("turn", ", with what was asked and answered in full.", type=TurnNumber(1))
@click.option(
    "--debug",
    is_flag=True,
    help="Start the agent under gdb, pdb, node --inspect or a JVM waiting for jdb, with its input; without a sandbox.",
)
@options.shared("lost", ", of the folder GAME: the questions to it.")
@some_settings("limits", "sandbox", "time_factor")
@options.shared("workers", ".  [default: one per core]")
@common.json_option
def command(
    games: str,
    agent: str | None,
    seat: int | None,
    name: str | None,
    turn: TurnName | None,
    debug: bool,
    lost: tuple[str, ...],
    workers: int | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Ask the agents of GAME (a file, 'last', CONTEST#37, or a folder of games) the same questions again.

    Shows where AGENT, by default the program that played, now answers differently; for a folder also in how many games,
    which faults are gone, which are new, and where to look. The recorded moves are applied whatever it answers, so all
    questions are the recorded ones; sandbox, limits and clock are those of the game unless set by an option.
    A long-lived agent gets all its prompts in order, also with --turn.

    \b
    Examples:
      arbiter rerun GAME                          is the agent deterministic?
      arbiter rerun GAME ./new.py --as old        what would the new version do?
      arbiter rerun GAME --seat 1 --turn 37       one question again
      arbiter rerun GAME --seat 1 --turn 37 --debug
      arbiter rerun matches/games ./new --lost old  would it still lose?
    """
    show_builds(quiet=as_json)
    name = name or (lost[0] if len(lost) == 1 else None)
    paths = games_lost_at(games, lost) if lost else games_at([games])
    if not paths:
        raise UserError(f"no saved game in {games!r}")
    several = len(paths) > 1
    if several and (turn is not None or debug):
        raise UserError(f"{games!r} holds {len(paths)} games: name one of them for --turn and --debug")
    number = _number(paths[0], turn) if turn else None
    wanted = RerunRequest(agent=agent, seat=seat, name=name, turn=number, settings=take_settings(settings))
    if debug:
        _debug(paths[0], replace(wanted, change=for_debugger))
        return
    found = _rerun(paths, wanted, workers)
    if as_json:
        common.print_json(found)
    elif several:
        print_many(found, agent, Workspace())
    else:
        shown = [each for each in found.seats if each.answers or not turn]
        if not shown:
            raise UserError(f"none of these agents was asked in {turn}; 'arbiter show GAME --inputs' lists the turns")
        for index, asked in enumerate(shown):
            if index:
                click.echo()
            (print_one_turn if turn else print_seat)(asked, Workspace())
    if found.interrupted:
        sys.exit(128 + signal.SIGINT)


def _number(path: Path, turn: TurnName) -> int:
    record = load_record(path)
    return find_turn(turn, record, find_protocol(record.header.protocol, Workspace()))


def _rerun(paths: Sequence[Path], wanted: RerunRequest, workers: int | None) -> RerunReport:
    """Rerun all games with a line of progress; after Ctrl-C, what was done until then."""
    done: list[GameRerun] = []
    interrupted = False
    try:
        for game in rerun_games(paths, wanted, Workspace(), workers):
            done.append(game)
            if len(paths) > 1:
                terminal.progress(f"{len(done)} of {len(paths)} games")
    except KeyboardInterrupt:
        interrupted = True
    finally:
        terminal.progress("")
    for note in dict.fromkeys(note for game in done for note in game.notes):
        terminal.note(note)
    found = sum_up(done, interrupted=interrupted)
    if not found.seats and not interrupted:
        raise UserError(f"none of {count(len(paths), 'saved game')} can be rerun: {found.skipped[0].because}")
    return found


def _debug(path: Path, wanted: RerunRequest) -> None:
    record, workspace = load_record(path), Workspace()
    protocol = find_protocol(record.header.protocol, workspace)
    with Rerunner(wanted, workspace) as rerunner:
        seat = rerunner.only_seat(record.header, protocol)
        turn = wanted.turn or turn_to_debug(record, seat)
        if not any((line.turn, line.seat) == (turn, seat) for line in record.answers):
            raise UserError(
                f"{seat_label(protocol, seat)} was not asked in turn {turn}; 'arbiter show GAME --inputs' lists the turns"
            )
        entrant = rerunner.bench(record.header, seat, protocol).entrant
    data = recorded_input(record, protocol, seat, turn, per_move=entrant.lifetime == "move")
    session = debug_session(entrant, write_input(data, turn, seat))
    click.echo(f"turn {turn}, {seat_label(protocol, seat)}: {len(data)} bytes of input in {session.input}", err=True)
    for note in session.notes:
        terminal.note(note)
    if session.debugger and sys.stdin.isatty() and sys.stdout.isatty():
        session.start()
    click.echo(session.command_line())
