"""All pipes of all agents at a table, and a pidfd of each, in one epoll set.

This and :mod:`arbiter.agents.launch.process` are the only code that touches file descriptors. What comes is handed to the place
it belongs to: to the question that is being asked there, or to what is remembered for the next one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import termios
from time import monotonic_ns

from arbiter.agents.ask.seat import SeatState
from arbiter.agents.clock.meter import STILL_NS
from arbiter.agents.launch import strays
from arbiter.agents.launch.process import CHUNK, AgentProcess, spawn
from arbiter.game import FaultKind
from arbiter.units import show_size

READABLE = select.EPOLLIN
EVENTS = 64
"""Most events taken at a time; more wait for the next look."""


class Poller:
    """The pipes of a table."""

    def __init__(self) -> None:
        self.epoll = select.epoll()
        self.owners: dict[int, SeatState] = {}
        """Places by the descriptors that are watched for them."""
        self._mark = strays.new_table()

    def spawn(self, place: SeatState, *, told: bool) -> None:
        """Start the agent of a place and listen to it; if it is to be ``told``, it finds all its input when it starts.
        Raises OSError when the operating system cannot."""
        seat, words = place.seat, None
        if told:
            words = place.pending
            place.account.expect(seat.home.spawner_wait if seat.home else None, monotonic_ns())
        process, unsent = spawn(
            seat.launch,
            seat.limits,
            seat.home,
            brief=seat.lifetime == "move",
            cores=seat.cores,
            words=words,
            mark=strays.agent_mark(self._mark, place.index),
        )
        if told:
            place.pending = unsent
        place.process = process
        for fd in (process.stdout, process.stderr, process.pidfd):
            self.owners[fd] = place
            self.epoll.register(fd, READABLE)

    def offer(self, place: SeatState) -> None:
        """Write what the pipe takes; the rest goes when it has room again."""
        process = place.living
        fd = process.stdin
        try:
            written = os.write(fd, place.pending)
        except BlockingIOError:
            written = 0
        except OSError:  # the agent closed its input: not a fault, it may know enough to answer
            written = len(place.pending)
        place.pending = place.pending[written:]
        if place.pending:
            if fd not in self.owners:
                self.owners[fd] = place
                self.epoll.register(fd, select.EPOLLOUT)
            return
        self.forget(fd)
        if place.seat.lifetime == "move":
            process.close_stdin()

    def pump(self, timeout_ns: int) -> None:
        """Wait at most so long for anything at all, and deal with everything that came."""
        # epoll counts in whole milliseconds and rounds up: we may wake late but judge by the clock.
        due_ns = monotonic_ns() + timeout_ns
        events = self.epoll.poll(timeout_ns / 1_000_000_000, EVENTS)
        now = monotonic_ns()
        if now - due_ns >= STILL_NS:
            for asked in set(self.owners.values()):
                if asked.talk is not None and not asked.talk.settled_ns:
                    asked.account.oversleep(now - due_ns)
        exits: list[SeatState] = []
        for fd, _ in events:
            place = self.owners.get(fd)
            process = place.process if place else None
            if place is None or process is None:
                continue
            place.lane = None
            if fd == process.stdout:
                self._hear(place, process, now)
            elif fd == process.stderr:
                self._drain_stderr(place, process, now)
            elif fd == process.pidfd:
                exits.append(place)
            elif fd == process.stdin:
                self.offer(place)
                place.served = True
        for place in exits:
            self._bury(place, now)

    def _hear(self, place: SeatState, process: AgentProcess, now: int) -> None:
        fd = process.stdout
        try:
            chunk = os.read(fd, CHUNK)
        except BlockingIOError:
            return
        talk = place.talk
        place.served = place.served or len(chunk) == CHUNK
        if not chunk:
            self.forget(fd)
            if talk is not None:
                place.grant(now)
                talk.close(now)
        elif talk is None or talk.settled_ns:
            place.stale += len(chunk)
            if place.stale > CHUNK:  # not asked and still printing: let its pipe fill up
                place.muted = True
                self.forget(fd)
            elif len(chunk) == CHUNK:  # a pipe can be made larger; what is left in it would pass for an answer
                self._hear(place, process, now)
        else:
            place.grant(now)
            talk.hear(chunk, now)

    def _drain_stderr(self, place: SeatState, process: AgentProcess, now: int) -> None:
        try:
            chunk = os.read(process.stderr, CHUNK)
        except BlockingIOError:
            return
        keeper, most = process.keeper, place.seat.limits.stderr_bytes
        if not chunk:
            self.forget(process.stderr)
            return
        place.served = place.served or len(chunk) == CHUNK
        keeper.feed(chunk)
        if keeper.received > most:
            self.forget(process.stderr)
            if place.talk is not None:
                place.talk.fail(FaultKind.FLOODED, f"printed more than {show_size(most)} on standard error", now)

    def _bury(self, place: SeatState, now: int) -> None:
        """The process has ended: hear its last words, then reap it."""
        process = place.process
        if process is None:
            return
        # What it said is in the pipes by now. Whatever comes later is from children that hold them open, and without end.
        for _ in range(self._reads_left(process.stdout)):
            self._hear(place, process, now)
        for _ in range(self._reads_left(process.stderr)):
            self._drain_stderr(place, process, now)
        talk = place.talk
        if talk is not None and not talk.settled_ns:
            # A thread's waiting time goes with it; that of the main thread can be read until it is reaped.
            place.account.look_last(now)
        process.reap()
        for fd in (process.stdin, process.stdout, process.stderr, process.pidfd):
            self.forget(fd)
        if talk is not None and not talk.settled_ns:
            talk.exit(process.exit_code or 0)
        place.died = True

    def _reads_left(self, fd: int) -> int:
        """How many reads take what a pipe holds at this moment; none if it is no longer listened to."""
        if fd not in self.owners:
            return 0
        (waiting,) = struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, bytes(4)))
        return -(-int(waiting) // CHUNK)

    def forget(self, fd: int) -> None:
        """Listen to this one no longer."""
        if self.owners.pop(fd, None) is not None:
            with contextlib.suppress(OSError):
                self.epoll.unregister(fd)

    def kill(self, place: SeatState) -> None:
        """End the agent of a place with all it started."""
        process = place.process
        if process is None:
            return
        for fd in (process.stdin, process.stdout, process.stderr, process.pidfd):
            self.forget(fd)
        process.kill()
        place.peak_bytes = max(place.peak_bytes, process.peak_bytes)
        place.process, place.pending, place.stale = None, b"", 0
        place.died = place.muted = False
        place.lane = None

    def close(self) -> None:
        """Kill whatever is left of anybody, and stop listening."""
        strays.sweep(self._mark)
        self.epoll.close()
