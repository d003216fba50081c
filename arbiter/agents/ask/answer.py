"""What came of asking one agent for one move, before the rules have had their say."""

from __future__ import annotations

import msgspec

from arbiter.game import Fault


class Answer(msgspec.Struct):
    """One answer, or the fault in its place. Times are of the monotonic clock, in nanoseconds."""

    seat: int
    text: str = ""
    """What was said on standard output, decoded with replacement. With a fault: as far as it got."""
    said_bytes: int = 0
    fault: Fault | None = None
    wall_ns: int = 0
    cpu_ns: int = 0
    charged_ns: int = 0
    waited_ns: int = 0
    """Time its process was ready but had to wait for a core; looked at only when the answer took a while."""
    kibitz: list[str] = []
    notes: list[str] = []
    """What the arbiter did about oddities that are no faults: output dropped, lines cut."""
    stderr: str = ""
    """The last of standard error, kept with a fault."""
    exit_code: int | None = None
    """Of a process that ended: its exit code, or minus the signal."""
    started: bool = False
    """A long-lived agent's process was started for this answer, so it was sent the briefing."""
    left_ns: int | None = None
    """Of the time for the whole game, after this answer; None if there is no such limit."""
    peak_bytes: int = 0
    """Of a process that ended: the most memory it had in use; 0 where that is not known."""
