"""Starts the processes of one seat: one per move, or one per game and a few restarts after faults."""

from __future__ import annotations

import contextlib
import os
import stat

from arbiter.agents.ask.conversation import Conversation
from arbiter.agents.ask.poller import Poller
from arbiter.agents.ask.request import Seat
from arbiter.agents.clock.meter import Meter
from arbiter.agents.launch.boxed import SpawnerKilled
from arbiter.agents.launch.spawn import spawn
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.game import Fault, FaultKind

_MOST_BYTES = 64 << 20
"""Only this much of a larger program is read."""
_CHUNK_BYTES = 1 << 20
RESTARTS = 3
"""How often a long-lived agent may be restarted in a game after faults."""


class ProgramFile:
    """The file of a program, which is read into the page cache before a start, so that its clock does not run while the disk is read.

    A program whose pages were evicted is paged in while it runs. The kernel does not distinguish such a wait from reading
    input, and an agent could exploit it if it were credited, so it is prevented instead. The file is kept open for as long as the
    program may be started: a check then takes two system calls.
    """

    __slots__ = ("_fd", "_page", "_size")

    def __init__(self, path: str) -> None:
        self._fd, self._size, self._page = -1, 0, bytearray(1)
        with contextlib.suppress(OSError):  # it is found through the PATH, or not at all, which the spawn reports
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
            file = os.fstat(self._fd)
            self._size = file.st_size
            if not stat.S_ISREG(file.st_mode):
                self.close()

    def warm(self) -> bool:
        """Read the file into the page cache if it is not there; return whether it had to be read. Checks two of its
        pages."""
        if self._fd < 0 or self._is_resident():
            return False
        buffer = bytearray(_CHUNK_BYTES)
        with contextlib.suppress(OSError):
            for start in range(0, min(self._size, _MOST_BYTES), _CHUNK_BYTES):
                os.preadv(self._fd, [buffer], start)
        return True

    def _is_resident(self) -> bool:
        page = [self._page]
        try:
            os.preadv(self._fd, page, 0, os.RWF_NOWAIT)
            os.preadv(self._fd, page, self._size // 2, os.RWF_NOWAIT)
        except BlockingIOError:
            return False
        except OSError:  # this file system cannot tell
            return True
        return True

    def close(self) -> None:
        """Close the file."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


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
