"""Starts the processes of one seat: one per move, or one per game and a few restarts after faults."""

from __future__ import annotations

from arbiter.agents.ask.conversation import Conversation
from arbiter.agents.ask.poller import Poller
from arbiter.agents.ask.request import Seat
from arbiter.agents.clock.meter import Meter
from arbiter.agents.launch.boxed import SpawnerKilled
from arbiter.agents.launch.spawn import spawn
from arbiter.agents.launch.warm import ProgramFile
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.game import Fault, FaultKind

RESTARTS = 3
"""How often a long-lived agent may be restarted in a game after faults."""


class FreshProcesses:
    """Starts the processes of one seat, and counts them."""

    __slots__ = ("_mark", "_meter", "_per_move", "_poller", "_program", "_seat", "_starts")

    def __init__(self, seat: Seat, mark: str, meter: Meter, poller: Poller) -> None:
        """``mark`` identifies stray processes of this agent."""
        self._seat, self._mark, self._per_move = seat, mark, seat.lifetime == "move"
        self._meter, self._poller = meter, poller
        # A person, or an agent on another machine, has no program.
        self._starts, self._program = 0, ProgramFile(next(iter(seat.launch.argv), ""))

    def spent(self) -> Fault | None:
        """Return the fault of an agent that has used up its restarts, or None."""
        if self._per_move or self._starts <= RESTARTS:
            return None
        return Fault(FaultKind.SPENT, f"used up its {RESTARTS} restarts for this game")

    def start(self, data: bytes, *, preload: bool) -> Conversation:
        """Start a process, meter it and watch it from now on. With ``preload``, ``data`` is in its pipe before it starts;
        otherwise it is sent with the first question. Raises OSError."""
        seat = self._seat
        self._starts += 1
        self._program.warm()
        if preload:
            self._meter.expect()
        process, unsent = spawn(
            seat.launch,
            seat.limits,
            seat.sandbox,
            brief=self._per_move,
            cores=seat.cores,
            prompt=data if preload else None,
            mark=self._mark,
        )
        self._meter.attach(process)
        conversation = Conversation(process, unsent if preload else data, seat, self._poller)
        try:
            conversation.listen()
        except OSError:
            conversation.kill()
            raise
        return conversation

    def close(self) -> None:
        """Release the program file; no more processes are started."""
        self._program.close()


def start_fault(launch: Launch, error: OSError) -> Fault:
    """Return the fault of an agent that the operating system or the sandbox refused to start, or that ended its sandbox
    while it was being started."""
    if isinstance(error, SpawnerKilled):
        return Fault(FaultKind.CRASHED, f"{error.strerror}: the agent killed or stopped it")
    return Fault(FaultKind.NOT_STARTED, f"{launch.argv[0]}: {error.strerror or error}")
