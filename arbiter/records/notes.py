"""Notes on an answer: after a fault, the likely causes, each a sentence about what was observed. The commands, the viewer
and the report of a check use the same words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arbiter.game import FaultKind
from arbiter.records.format import AnswerLine
from arbiter.text import safe

_COMPLAINT = re.compile(
    r"\b\w*(?:Error|Exception|exception)\b|\bpanic(?:ked)?\b|\berror:|\bfatal\b|^Segmentation fault"
)
"""How runtimes begin the line with an error message; a stack trace or a version number may follow it."""
_PLACE = re.compile(
    r'File "(?:[^"\n]*/)?(?P<python>[^"/\n]+)", line (?P<line>\d+)'
    r"|(?:^|[\s(/])(?P<file>[\w.-]+\.(?:java|[cm]?js|[cm]?ts|go|rs|rb|pl|cs|c|cpp|scala|kt)):(?P<at>\d+)\b"
)
_PANIC = re.compile(r"\bpanicked at \S+:\d+:\d+:$")
"""How Rust begins a message, which is in the next line."""
_LIVES = (FaultKind.LATE, FaultKind.ILLEGAL, FaultKind.GARBLED, FaultKind.FLOODED)
"""Faults of an agent that has not exited: its last output need not be related to them."""
_AROUND = 4
"""Lines shown before and after the one that says what went wrong."""


def notes_on(line: AnswerLine) -> list[str]:
    """Return the notes on an answer, and after a fault what the agent's standard error says about the cause."""
    fault = line.fault
    if fault is None:
        return line.notes
    found = list(line.notes)
    lines = [text for text in fault.stderr.strip().splitlines() if not text.startswith("kibitz ")]
    at = _complaint(lines)
    if lines and (fault.kind not in _LIVES or _COMPLAINT.search(lines[at])):
        which = "its last line on standard error" if at == len(lines) - 1 else "its standard error says"
        said = lines[at + 1] if at + 1 < len(lines) and _PANIC.search(lines[at]) else lines[at]
        found.append(f"{which}: {safe(said.strip())}{_place(lines, at)}")
    elif fault.kind == FaultKind.SILENT and not fault.said and not found:
        found.append(
            "it exited with status 0 and had printed nothing: does it read its input as the guide of the protocol describes?"
        )
    return found


def stderr_excerpt(line: AnswerLine) -> str:
    """Return the lines of standard error around the one that says why an agent failed; empty if there is no other."""
    lines = (line.fault.stderr if line.fault else "").strip("\n").splitlines()
    if len(lines) < 2:
        return ""
    at = _complaint(lines)
    around = lines[max(0, at - _AROUND) : at + _AROUND + 1]
    return "\n".join(safe(text.expandtabs(4)) for text in around if text.strip())


def _complaint(lines: Sequence[str]) -> int:
    """Return the index of the line that says what went wrong; the last one if none looks like it."""
    return next((at for at in reversed(range(len(lines))) if _COMPLAINT.search(lines[at])), len(lines) - 1)


def _place(lines: Sequence[str], at: int) -> str:
    """Return the file and line that a trace names nearest to the complaint: Python writes it before, others after it."""
    before, after = reversed(lines[: at + 1]), lines[at:]
    python = next((match for text in before if (match := _PLACE.search(text)) and match["python"]), None)
    found = python or next((match for text in after if (match := _PLACE.search(text))), None)
    if found is None:
        return ""
    return f" ({safe(found['python'] or found['file'], 60)}, line {found['line'] or found['at']})"
