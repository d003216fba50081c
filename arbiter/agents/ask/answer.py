"""The answer of one agent to one question, before the rules of the game are applied to it."""

from __future__ import annotations

import msgspec

from arbiter.game import Fault


class Answer(msgspec.Struct):
    """An answer, or the fault in its place. Times are in nanoseconds."""

    seat: int
    text: str = ""
    """The agent's standard output, decoded with replacement; after a fault, whatever was read before it."""
    said_bytes: int = 0
    fault: Fault | None = None
    wall_ns: int = 0
    cpu_ns: int = 0
    charged_ns: int = 0
    waited_ns: int = 0
    """Time lost to run-queue wait and CPU steal; 0 for quick answers, for which it is not read."""
    kibitz: list[str] = []
    notes: list[str] = []
    """Irregularities that are not faults, such as output that was dropped or lines that were cut."""
    surplus: str = ""
    """The start of any output that followed the answer line."""
    stderr: str = ""
    """The tail of standard error, kept with a fault."""
    exit_code: int | None = None
    """Exit code of a process that ended, or minus the signal."""
    started: bool = False
    """Whether a long-lived agent's process was started for this answer, and so was sent the briefing."""
    left_ns: int | None = None
    """Time left for the game after this answer; None without such a limit."""
    peak_bytes: int = 0
    """Peak memory use of a process that ended; 0 if unknown."""
