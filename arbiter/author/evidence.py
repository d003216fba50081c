"""Evidence of findings: the exact input in a file, or the saved game, and the command that reproduces it."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from arbiter.author.check_report import Finding
from arbiter.author.positions import CorpusPosition
from arbiter.game import FaultKind, Protocol
from arbiter.playing.plan import Entrant
from arbiter.records.format import AnswerLine
from arbiter.records.notes import notes_on, stderr_excerpt
from arbiter.records.reader import Record
from arbiter.seat_names import seat_label
from arbiter.text import safe
from arbiter.units import show_duration


class Evidence:
    """The folder for inputs and saved games of what went wrong, made when there is something to keep."""

    def __init__(self, folder: Path | None, agent: str, protocol: Protocol, typed: Sequence[str]) -> None:
        """``typed`` is what follows ``arbiter check`` to check the agent under the same conditions."""
        self._protocol, self._typed = protocol, typed
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

    def of_position(self, position: CorpusPosition, line: AnswerLine, entrant: Entrant) -> Finding:
        """Return the finding about an answer in a position; its input is kept."""
        file = self._path("input.txt")
        file.write_bytes(position.text.encode())
        seat = seat_label(self._protocol, position.seat)
        lifetime = ["--lifetime", entrant.lifetime]
        return _finding(
            line,
            file,
            where=f"{', '.join(position.features)} ({position.variant}; turn {position.turn}, {seat})",
            reproduce=shlex.join(["arbiter", "check", *self._typed, *lifetime, "--only", str(position.number)]),
            outside=_outside(file, entrant),
        )

    def of_game(self, record: Record, line: AnswerLine, variant: str) -> Finding:
        """Return the finding about an answer in a game, which is kept."""
        file = self._path(record.path.name)
        shutil.copy(record.path, file)
        at = f"--seat {self._protocol.first_seat + line.seat} --turn {line.turn}"
        return _finding(
            line,
            file,
            where=f"a game against itself ({variant}), turn {line.turn}, {seat_label(self._protocol, line.seat)}",
            reproduce=f"arbiter rerun {shlex.quote(str(file))} {at}, and with --debug for a debugger",
        )


def _finding(line: AnswerLine, file: Path, *, where: str, reproduce: str, outside: str = "") -> Finding:
    """Return the finding about an answer, with its question saved to a file."""
    return Finding(
        where=where,
        problem=_problem(line),
        said=_said(line),
        causes=tuple(notes_on(line)),
        stderr=stderr_excerpt(line),
        input=str(file),
        reproduce=reproduce,
        outside=outside,
    )


def _outside(file: Path, entrant: Entrant) -> str:
    """Return a shell command that runs the agent on this input without the arbiter.

    A long-lived agent keeps its input open until the user types Ctrl+D, and its output goes through a pipe, as in a game:
    most programs write every line at once to a terminal, and to a pipe only if they flush.
    """
    agent, path = entrant.agent, shlex.quote(str(file.absolute()))
    program = f"(cd {shlex.quote(str(agent.folder))} && {shlex.join(agent.command)})"
    return f"{program} < {path}" if entrant.lifetime == "move" else f"cat {path} - | {program} | cat"


def _problem(line: AnswerLine) -> str:
    if line.fault is None:
        return ""
    told = line.fault.kind != FaultKind.LATE or any("CPU time" in note for note in line.notes)
    used = "" if told else f"; it had used {show_duration(line.cpu_us * 1000)} of CPU time"
    return f"{line.fault.kind}: {safe(line.fault.detail)}{used}"


def _said(line: AnswerLine) -> str:
    return safe(line.fault.said, 100) if line.fault else ""


MOST_FINDINGS = 5
"""Findings listed per check."""


class Findings:
    """Collects findings check by check; equal ones are counted, and those of earlier checks are not listed again."""

    def __init__(self) -> None:
        self._checks: dict[tuple[str, str], str] = {}
        """The check that each kind of failure was first found in."""
        self._name = ""
        self._listed: dict[tuple[str, str], Finding] = {}
        self._referred: dict[str, None] = {}

    def begin(self, name: str) -> None:
        """Start the findings of the check with this name."""
        self._name, self._listed, self._referred = name, {}, {}

    def add(self, line: AnswerLine, make: Callable[[], Finding]) -> None:
        """Add a fault; ``make`` is called if it is the first of its kind and there is room."""
        if line.fault is None:
            return
        key = line.fault.kind, line.fault.detail
        if key in self._listed:
            known = self._listed[key]
            self._listed[key] = msgspec.structs.replace(known, more=known.more + 1)
        elif self._checks.setdefault(key, self._name) != self._name:
            self._referred[self._checks[key]] = None
        elif len(self._listed) < MOST_FINDINGS:
            self._listed[key] = make()

    @property
    def listed(self) -> tuple[Finding, ...]:
        """The findings of the current check that no check before it has."""
        return tuple(self._listed.values())

    @property
    def see(self) -> str:
        """Where the others are, as the end of a summary."""
        return f"; see {' and '.join(self._referred)} above" if self._referred else ""
