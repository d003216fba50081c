"""What came of asking one agent for one move, before the rules have had their say."""

from __future__ import annotations

from dataclasses import dataclass, field

from arbiter.game import Fault


@dataclass(slots=True)
class Answer:
    """One answer, or the fault in its place. Times are of the monotonic clock, in nanoseconds."""

    seat: int
    text: str = ""
    """What was said on standard output, decoded with replacement. With a fault: as far as it got."""
    said_bytes: int = 0
    fault: Fault | None = None
    wall_ns: int = 0
    cpu_ns: int = 0
    charged_ns: int = 0
    kibitz: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What the arbiter did about oddities that are no faults: output dropped, lines cut."""
    stderr: str = ""
    """The last of standard error, kept with a fault."""
    exit_code: int | None = None
    """Of a process that ended: its exit code, or minus the signal."""
    started: bool = False
    """A long-lived agent's process was started for this answer, so it was sent the briefing."""
