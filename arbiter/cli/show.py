"""``arbiter show``: show a saved game in the terminal, as a whole or one turn at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from arbiter.cli import common, options
from arbiter.cli.grouped_help import GroupedCommand, Heading, headed_option
from arbiter.cli.show_inputs import show_inputs
from arbiter.cli.show_stderr import show_stderr
from arbiter.cli.transcript import Transcript, TurnText
from arbiter.cli.values import TurnNumber
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.addresses import game_at, games_lost_at
from arbiter.records.reader import load_record
from arbiter.records.turn_numbers import TurnName, find_turn, with_numbers
from arbiter.registry import find_protocol
from arbiter.text import prose

INPUTS = Heading("What the agents were sent", everyday=True)
LONG = 400
"""Games with more turns than this default to ``--events`` instead of ``--all``."""


@click.command("show", cls=GroupedCommand)
@click.argument("game")
@options.shared("turn", ", and the position after it; 0 is the start.")
@click.option("--all", "how", flag_value="all", help="Show every turn.")
@click.option("--events", "how", flag_value="events", help="Show only turns with an event or a fault.")
@click.option("--faults", "how", flag_value="faults", help="Show only turns with a fault.")
@click.option(
    "--find", "word", metavar="WORD", help="Show only turns with this word in a move, event, fault or kibitz."
)
@click.option("--stderr-log", "stderr", is_flag=True, help="Show what agents printed on standard error.")
@click.option("--boards", is_flag=True, help="Show the position after every turn that is shown.")
@options.shared("lost", ": the newest of them in the folder GAME.")
@headed_option(INPUTS, "--inputs", is_flag=True, help="Print exactly what the agents were sent, and nothing else.")
@options.shared("seat", ": its input.", heading=INPUTS)
@headed_option(INPUTS, "--up-to", metavar="N", type=TurnNumber(1), help="Only the input up to and including turn N.")
@headed_option(
    INPUTS,
    "--save-inputs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write what the agents were sent to a file per turn in this folder.",
)
@common.json_option
def command(
    game: str,
    turn: TurnName | None,
    how: str | None,
    word: str | None,
    stderr: bool,
    boards: bool,
    lost: tuple[str, ...],
    inputs: bool,
    seat: int | None,
    up_to: TurnName | None,
    save_inputs: Path | None,
    as_json: bool,
) -> None:
    """Show GAME: a file, 'last', 'last~2', CONTEST#37, or 37 in the folder of a contest. Of a folder, the newest game.

    In a terminal, keys step through the turns. Elsewhere the default is --all, or --events for more than 400 turns.

    \b
    Examples:
      arbiter show last                                  step through the newest
      arbiter show matches/samples/rails.jsonl --turn 9
      arbiter show matches/samples/heroes.jsonl --turn ply:36
      arbiter show last --faults                         what went wrong in it
      arbiter show last --all --color always | less -R
      arbiter show GAME --inputs --turn 37 | ./my_bot    for lifetime 'move'
      arbiter show GAME --inputs --seat 1 | ./my_bot     for lifetime 'game'
    """
    record = load_record(games_lost_at(game, lost)[0] if lost else game_at(game))
    if inputs or save_inputs:
        played = find_protocol(record.header.protocol, Workspace())
        show_inputs(record, played, turn, up_to=up_to, seat=seat, folder=save_inputs)
        return
    if seat is not None or up_to is not None:
        raise UserError(f"{'--seat' if up_to is None else '--up-to'} is for --inputs")
    protocol = find_protocol(record.header.protocol, Workspace()) if not stderr or turn else None
    number = find_turn(turn, record, protocol) if turn and protocol else None
    if stderr or protocol is None:
        show_stderr(record, number, as_json=as_json)
        return
    transcript = Transcript(record, protocol)
    if as_json:
        common.print_json(transcript.document())
    elif number is not None:
        print_position(transcript, number)
    elif how is None and word is None and sys.stdin.isatty() and sys.stdout.isatty():
        from arbiter.cli.pager import step_through

        step_through(transcript)
    else:
        selects = _selector(how or ("events" if transcript.last > LONG and word is None else "all"), word)
        ends = boards or (how != "faults" and word is None)
        print_turns(transcript, selects, boards=boards, ends=ends, faults=how == "faults")


def _selector(how: str, word: str | None) -> Callable[[TurnText], bool]:
    def selects(turn: TurnText) -> bool:
        return (
            (how != "faults" or turn.fault)
            and (how != "events" or turn.fault or bool(turn.events))
            and (word is None or turn.contains(word))
        )

    return selects


def print_position(transcript: Transcript, turn: int) -> None:
    """Print the position after a turn, and the moves that led to it."""
    for line in position_lines(transcript, turn):
        click.echo(line)


def position_lines(transcript: Transcript, turn: int) -> Iterator[str]:
    """Return the lines of :func:`print_position`."""
    yield from transcript.board(turn).split("\n")
    yield from played_lines(transcript, turn)


def played_lines(transcript: Transcript, turn: int) -> Iterator[str]:
    """Return what was played in a turn; nothing for the start of the game."""
    if turn:
        told = transcript.turns[turn - 1]
        if told.numbers:
            yield click.style(with_numbers(turn, told.numbers), dim=True)
        yield from _turn_lines(told)


def _turn_lines(turn: TurnText) -> Iterator[str]:
    yield from turn.text.split("\n")
    yield from turn.evidence
    for event in turn.events:
        yield from prose(event, " " * 6, " " * 8).split("\n")


def print_turns(
    transcript: Transcript,
    selects: Callable[[TurnText], bool],
    *,
    boards: bool,
    ends: bool = True,
    faults: bool = False,
) -> None:
    """Print the selected turns, one line per move, and how many were left out.

    ``ends`` adds the first and the last position, which a search for particular turns does not need. ``faults``: only
    faults were asked for.
    """
    click.echo(f"{transcript.title()}\n")
    if ends:
        click.echo(f"{transcript.board(0)}\n")
    selected = [turn for turn in transcript.turns if selects(turn)]
    left_out = transcript.last - len(selected)
    for heading, turn in transcript.by_round(selected):
        if heading:
            click.echo(heading)
        for line in _turn_lines(turn):
            click.echo(line)
        if boards:
            click.echo(f"{transcript.board(turn.turn)}\n")
    if ends:
        for line in transcript.afterwards():
            click.echo(line)
        click.echo(f"\n{transcript.board(transcript.last)}\n\n{transcript.ending()}")
    if left_out == transcript.last > 0:
        faultless = not any(turn.fault for turn in transcript.turns)
        so_far = " so far" if transcript.is_running else ""
        why = f"no agent faulted in this game{so_far}" if faults and faultless else "no turn matches"
        click.echo(f"{why}; --all shows every turn")
    elif left_out:
        note = f"{left_out} of {transcript.last} turns were left out; --all shows every turn"
        click.echo(click.style(note, dim=True))
