"""A game as a table: one row per answer, with its times, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from arbiter.game import Protocol
from arbiter.records.reader import Record
from arbiter.records.replay import Replay, without_half_turn

COLUMNS = (
    "turn", "seat", "agent", "move", "words", "fault", "detail", "message", "wall_us", "charged_us", "cpu_us", "waited_us",
    "left_us", "kibitz",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def moves_table(record: Record, protocol: Protocol) -> str:
    """Return the moves as CSV with a line of column names. Raises UserError if the record cannot be replayed."""
    replay, text = Replay(without_half_turn(record, protocol), protocol), io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for turn, lines in replay:
        for line in lines:
            words = replay.describe(line)
            kind, detail = (line.fault.kind, line.fault.detail) if line.fault else ("", "")
            said = map(safe_cell, (record.names[line.seat], line.move, words, kind, detail, line.message))
            times = (line.wall_us, line.charged_us, line.cpu_us, line.waited_us, line.left_us)
            writer.writerow([turn, line.seat, *said, *times, safe_cell("\n".join(line.kibitz))])
    return text.getvalue()


def safe_cell(value: str) -> str:
    """Return text that no spreadsheet evaluates as a formula and no terminal as a command: an agent chooses what it prints."""
    number = value.removeprefix("-").replace(".", "", 1).isdecimal()
    shown = "".join(each if each.isprintable() or each in "\n\t" else repr(each)[1:-1] for each in value)
    return f"'{shown}" if value.startswith(_FORMULA) and not number else shown
