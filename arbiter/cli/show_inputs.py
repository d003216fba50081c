"""``arbiter show --inputs``: the exact bytes that an agent was sent."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import click

from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.input_files import SentInput, sent_inputs, write_inputs
from arbiter.records.reader import Record
from arbiter.records.replay import without_half_turn
from arbiter.records.turn_numbers import TurnName, find_turn, with_numbers
from arbiter.seat_names import seat_index, seat_label
from arbiter.text import count


def show_inputs(
    record: Record,
    protocol: Protocol,
    turn: TurnName | None,
    *,
    up_to: TurnName | None,
    seat: int | None,
    folder: Path | None,
) -> None:
    """Print the bytes that the agents were sent, and nothing else, or write them to files. Raises UserError if none were.

    They can be piped into an agent again; a line on standard error introduces each part, with all numbers of its turn.
    """
    if turn and not turn.number:
        raise UserError("--turn 0: agents are asked from turn 1 on")
    index = None if seat is None else seat_index(protocol, seat, len(record.header.seats))
    record = without_half_turn(record, protocol)
    wanted = find_turn(turn, record, protocol) if turn else None
    until = find_turn(up_to, record, protocol, last=True) if up_to else None
    inputs = sent_inputs(record, protocol, turn=wanted, up_to=until, seat=index)
    found = write_inputs(inputs, protocol, folder) if folder else _print_inputs(inputs, protocol)
    if not found:
        _explain(record, wanted, "" if index is None else seat_label(protocol, index))
    if folder:
        click.echo(f"{count(found, 'file')} in {folder}")


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
