"""``arbiter inputs``: print the exact bytes that an agent was sent."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import click

from arbiter.cli import options
from arbiter.cli.show import newest
from arbiter.cli.values import TurnNumber
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.input_files import SentInput, sent_inputs, write_inputs
from arbiter.records.reader import Record, load_record
from arbiter.records.replay import without_half_turn
from arbiter.records.turn_numbers import TurnName, find_turn, with_numbers
from arbiter.registry import find_protocol
from arbiter.seat_names import seat_index, seat_label
from arbiter.text import count


@click.command("inputs")
@click.argument("game", type=click.Path(path_type=Path))
@options.shared("turn", ": its input.", type=TurnNumber(1))
@click.option("--up-to", metavar="N", type=TurnNumber(1), help="Only the input up to and including turn N.")
@options.shared("save_inputs", ", and print nothing else.")
@options.shared("seat", ": its input.")
def command(
    game: Path, turn: TurnName | None, up_to: TurnName | None, save_inputs: Path | None, seat: int | None
) -> None:
    """Print exactly what the agents were sent in GAME, a saved game (or a folder: the newest game in it).

    Standard output is the bytes and nothing else, so that they can be piped into an agent again. A line on standard
    error introduces each part, with all numbers of its turn.

    \b
    Examples:
      arbiter inputs GAME --turn 37 | ./my_bot            for lifetime 'move'
      arbiter inputs GAME --seat 1 --up-to 37 | ./my_bot  for lifetime 'game'
      arbiter inputs GAME --turn ply:36                   Heroes: "turn":36
    """
    record = load_record(newest(game))
    protocol = find_protocol(record.header.protocol, Workspace())
    index = None if seat is None else seat_index(protocol, seat, len(record.header.seats))
    record = without_half_turn(record, protocol)
    wanted = find_turn(turn, record, protocol) if turn else None
    until = find_turn(up_to, record, protocol, last=True) if up_to else None
    inputs = sent_inputs(record, protocol, turn=wanted, up_to=until, seat=index)
    found = write_inputs(inputs, protocol, save_inputs) if save_inputs else _print_inputs(inputs, protocol)
    if not found:
        _explain(record, wanted, "" if index is None else seat_label(protocol, index))
    if save_inputs:
        click.echo(f"{count(found, 'file')} in {save_inputs}")


def _print_inputs(inputs: Iterable[SentInput], protocol: Protocol) -> int:
    """Print inputs, each introduced by a line on standard error; return their number."""
    found = 0
    for sent in inputs:
        heading = f"# {with_numbers(sent.turn, sent.numbers)}, {seat_label(protocol, sent.seat)}"
        click.echo(click.style(f"{heading}: {len(sent.data)} bytes", dim=True), err=True)
        sys.stdout.buffer.write(sent.data)
        sys.stdout.buffer.flush()
        found += 1
    return found


def _explain(record: Record, turn: int | None, seat: str) -> NoReturn:
    """Raise UserError: there is no such input."""
    asked = f"{seat} was not asked for a move" if seat else "no agent was asked for a move"
    last = record.answers[-1].turn if record.answers else 0
    raise UserError(f"{asked} in turn {turn}; this game has turns 1 to {last}" if turn else f"{asked} in this game")
