"""What went wrong, with what it takes to see it again: the exact input in a file, or the saved game, and what to type."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

from arbiter.author.causes import causes
from arbiter.author.check_report import Finding
from arbiter.author.positions import Position
from arbiter.game import Protocol
from arbiter.plan import Entrant
from arbiter.records.format import AnswerLine
from arbiter.records.reader import Record
from arbiter.seat_names import seat_label
from arbiter.text import safe


class Evidence:
    """The folder for inputs and saved games of what went wrong, made when there is something to keep."""

    def __init__(self, folder: Path | None, agent: str, protocol: Protocol) -> None:
        self._protocol = protocol
        self.folder: Path | None = None
        self._wanted, self._agent = folder, "".join(letter if letter.isalnum() else "-" for letter in agent)
        self._kept = 0

    def _path(self, name: str) -> Path:
        if self.folder is None:
            self.folder, number = self._wanted or Path(f"check-{self._agent}"), 1
            while self._wanted is None and self.folder.exists():
                number += 1
                self.folder = Path(f"check-{self._agent}-{number}")
            self.folder.mkdir(parents=True, exist_ok=True)
        self._kept += 1
        return self.folder / f"{self._kept}-{name}"

    def of_position(self, position: Position, line: AnswerLine, entrant: Entrant) -> Finding:
        """Return the finding about an answer in a position; its input is kept."""
        file = self._path("input.txt")
        file.write_bytes(position.text.encode())
        agent = entrant.agent
        return Finding(
            where=f"{', '.join(position.features)} ({position.variant}; turn {position.turn}, {seat_label(self._protocol, position.seat)})",
            problem=_problem(line),
            said=_said(line),
            causes=causes(line),
            input=str(file),
            reproduce=f"(cd {shlex.quote(str(agent.folder))} && {shlex.join(agent.command)}) < {shlex.quote(str(file))}",
        )

    def of_game(self, record: Record, line: AnswerLine, variant: str) -> Finding:
        """Return the finding about an answer in a game, which is kept."""
        file = self._path(record.path.name)
        shutil.copy(record.path, file)
        at = f"--seat {self._protocol.first_seat + line.seat} --turn {line.turn}"
        return Finding(
            where=f"a game against itself ({variant}), turn {line.turn}, {seat_label(self._protocol, line.seat)}",
            problem=_problem(line),
            said=_said(line),
            causes=causes(line),
            input=str(file),
            reproduce=f"arbiter rerun {shlex.quote(str(file))} {at}, and with --debug for a debugger",
        )


def _problem(line: AnswerLine) -> str:
    return f"{line.fault.kind}: {safe(line.fault.detail)}" if line.fault else ""


def _said(line: AnswerLine) -> str:
    return safe(line.fault.said, 100) if line.fault else ""
