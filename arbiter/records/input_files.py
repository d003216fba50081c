"""The input of every turn: what each agent was sent, byte for byte, and as a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.output_files import write_whole
from arbiter.records.reader import Record
from arbiter.records.replay import Replay, input_text, without_half_turn
from arbiter.seat_names import seat_label


class SentInput(NamedTuple):
    """What one agent was sent in one turn."""

    turn: int
    numbers: Mapping[str, int]
    """The further numbers of the turn, such as its round."""
    seat: int
    data: bytes


def sent_inputs(
    record: Record, protocol: Protocol, *, turn: int | None = None, up_to: int | None = None, seat: int | None = None
) -> Iterator[SentInput]:
    """Yield what agents were sent in all turns, or in this one, or up to and including this one; to all seats, or to this one."""
    record = without_half_turn(record, protocol)
    replay = Replay(record, protocol)
    for number, lines in replay:
        for line in lines:
            if turn in (None, number) and seat in (None, line.seat):
                data = input_text(replay.game, record, line).encode()
                yield SentInput(number, replay.display.numbers(), line.seat, data)
        if number in (turn, up_to):
            return


def write_inputs(inputs: Iterable[SentInput], protocol: Protocol, folder: Path) -> int:
    """Write each input to ``turn-0037-player-1.txt`` and so on; return the number of files."""
    written = 0
    try:
        for sent in inputs:
            folder.mkdir(parents=True, exist_ok=True)
            name = f"turn-{sent.turn:04}-{seat_label(protocol, sent.seat).replace(' ', '-')}.txt"
            write_whole(folder / name, sent.data)
            written += 1
    except OSError as error:
        raise UserError(f"cannot write inputs to {folder}: {error.strerror}") from None
    return written
