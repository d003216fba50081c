"""The answer of one agent to one question, before the rules of the game are applied to it."""

from __future__ import annotations

import msgspec

from arbiter.game import Fault


class Answer(msgspec.Struct):
    """An answer, or the fault in its place. Times are in nanoseconds."""

    seat: int
    text: str = ""
    """What was printed on standard output, decoded with replacement; with a fault, as far as it got."""
    said_bytes: int = 0
    fault: Fault | None = None
    wall_ns: int = 0
    cpu_ns: int = 0
    charged_ns: int = 0
    waited_ns: int = 0
    """Time lost to run-queue wait and CPU steal; read only if the answer took a while."""
    kibitz: list[str] = []
    notes: list[str] = []
    """How the arbiter dealt with oddities that are no faults: output dropped, lines cut."""
    surplus: str = ""
    """The beginning of what came after the line that is the answer, with it."""
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
