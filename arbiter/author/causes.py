"""Why an agent failed to answer, as far as that can be known: each sentence states what was seen."""

from __future__ import annotations

from arbiter.game import FaultKind
from arbiter.records.format import AnswerLine
from arbiter.text import safe


def causes(line: AnswerLine) -> tuple[str, ...]:
    """Return what is known about the cause of a fault: the notes of the arbiter, and the agent's last words."""
    fault = line.fault
    if fault is None:
        return ()
    found = list(line.notes)
    if fault.stderr.strip():
        found.append(f"its last line on standard error: {safe(fault.stderr.strip().splitlines()[-1])}")
    elif fault.kind == FaultKind.SILENT and not fault.said and not found:
        found.append("it exited with status 0 and had printed nothing: does it read its input as the page describes?")
    return tuple(found)
