"""Starts the processes of one seat: one per move, or one per game and a few restarts after faults."""

from __future__ import annotations

from arbiter.agents.ask.request import Seat
from arbiter.agents.clock.meter import Meter
from arbiter.agents.launch.process import AgentProcess
from arbiter.agents.launch.spawn import spawn
from arbiter.agents.launch.warm import ProgramFile
from arbiter.game import Fault, FaultKind

RESTARTS = 3
"""How often a long-lived agent may be restarted in a game after faults."""


class FreshProcesses:
    """Starts the processes of one seat, and counts them."""

    __slots__ = ("_mark", "_per_move", "_program", "_seat", "_starts")

    def __init__(self, seat: Seat, mark: str) -> None:
        """``mark`` identifies stray processes of this agent."""
        self._seat, self._mark, self._per_move = seat, mark, seat.lifetime == "move"
        # A person, or an agent on another machine, has no program.
        self._starts, self._program = 0, ProgramFile(next(iter(seat.launch.argv), ""))

    def spent(self) -> Fault | None:
        """Return the fault of an agent that has used up its restarts, or None."""
        if self._per_move or self._starts <= RESTARTS:
            return None
        return Fault(FaultKind.SPENT, f"used up its {RESTARTS} restarts for this game")

    def start(self, data: bytes, meter: Meter, *, preload: bool) -> tuple[AgentProcess, bytes]:
        """Start a process and meter it from now on. With ``preload``, ``data`` is in its pipe before it starts. Returns
        the process and the data still to be sent. Raises OSError."""
        seat = self._seat
        self._starts += 1
        self._program.warm()
        process, unsent = spawn(
            seat.launch,
            seat.limits,
            seat.sandbox,
            brief=self._per_move,
            cores=seat.cores,
            prompt=data if preload else None,
            mark=self._mark,
        )
        meter.attach(process)
        return process, unsent if preload else data

    def not_started(self, error: OSError) -> Fault:
        """Return the fault of an agent that the operating system or the sandbox refuses to start."""
        return Fault(FaultKind.NOT_STARTED, f"{self._seat.launch.argv[0]}: {error.strerror or error}")

    def close(self) -> None:
        """Release the program file; no more processes are started."""
        self._program.close()
