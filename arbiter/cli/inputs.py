"""``arbiter inputs``: print the exact bytes that an agent was sent."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arbiter.cli import common, options
from arbiter.cli.show import newest
from arbiter.cli.values import WholeNumber
from arbiter.errors import UserError
from arbiter.records.input_files import write_inputs
from arbiter.records.reader import load
from arbiter.records.replay import Replay, input_text, without_half_turn
from arbiter.registry import find as find_protocol
from arbiter.workspace import Workspace


@click.command("inputs")
@click.argument("game", type=click.Path(path_type=Path))
@options.shared("turn", ": its input.", type=WholeNumber(1))
@click.option("--up-to", metavar="N", type=WholeNumber(1), help="Only the input up to and including turn N.")
@options.shared("save_inputs", ", and print nothing else.")
@options.shared("seat", ": its input.")
def command(game: Path, turn: int | None, up_to: int | None, save_inputs: Path | None, seat: int | None) -> None:
    """Print exactly what the agents were sent in GAME, a saved game (or a folder: the newest game in it).

    Standard output is the bytes and nothing else, so that they can be piped into an agent again. If they belong to
    more than one turn or seat, a line on standard error introduces each part.

    \b
    Examples:
      arbiter inputs GAME --turn 37 | ./my_bot            for lifetime 'move'
      arbiter inputs GAME --seat 1 --up-to 37 | ./my_bot  for lifetime 'game'
    """
    record = load(newest(game))
    if seat is not None and seat >= len(record.header.seats):
        raise UserError(f"no seat {seat} in this game; choose from 0 to {len(record.header.seats) - 1}")
    protocol = find_protocol(record.header.protocol, Workspace())
    if save_inputs:
        click.echo(f"{common.count(write_inputs(record, protocol, save_inputs), 'file')} in {save_inputs}")
        return
    replay = Replay(without_half_turn(record, protocol), protocol)
    found = 0
    for number, lines in replay:
        for line in lines:
            if (turn is None or number == turn) and (seat is None or line.seat == seat):
                data = input_text(replay.game, record, line).encode()
                if turn is None or (seat is None and len(lines) > 1):
                    click.echo(click.style(f"# turn {number}, seat {line.seat}: {len(data)} bytes", dim=True), err=True)
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
                found += 1
        if number in (turn, up_to):
            break
    if not found:
        asked = f"seat {seat} was not asked for a move" if seat is not None else "no agent was asked for a move"
        last = record.answers[-1].turn if record.answers else 0
        raise UserError(f"{asked} in turn {turn}; this game has turns 1 to {last}" if turn else f"{asked} in this game")
