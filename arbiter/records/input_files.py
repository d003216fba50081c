"""The input of every turn as a file of its own, to be given to an agent again or looked at."""

from __future__ import annotations

from pathlib import Path

from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.reader import Record
from arbiter.records.replay import Replay, input_text, without_half_turn
from arbiter.seat_names import seat_label


def write_inputs(record: Record, protocol: Protocol, folder: Path) -> int:
    """Write what each agent was sent in each turn to ``turn-0037-player-1.txt`` and so on; return the number of files."""
    written = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replay = Replay(without_half_turn(record, protocol), protocol)
        for number, lines in replay:
            for line in lines:
                file = folder / f"turn-{number:04}-{seat_label(protocol, line.seat).replace(' ', '-')}.txt"
                file.write_bytes(input_text(replay.game, record, line).encode())
                written += 1
    except OSError as error:
        raise UserError(f"cannot write inputs to {folder}: {error.strerror}") from None
    return written
