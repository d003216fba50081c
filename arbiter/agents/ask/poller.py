"""All pipes of the agents at a table, and a pidfd of each, in one epoll set.

Only this file, the fast path and :mod:`arbiter.agents.launch` touch file descriptors. The poller reads and writes, and
emits events to the listener of each process; what they mean is for the listener to decide.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import termios
from time import monotonic_ns
from typing import Protocol

from arbiter.agents.clock.meter import OVERSLEPT_NS
from arbiter.agents.launch.process import CHUNK, AgentProcess

EVENTS = 64
"""Events taken at a time; the rest wait for the next call."""
_NEARLY_FULL = CHUNK // 2
"""Whoever writes to a pipe that holds this much may be waiting for room."""


class Listener(Protocol):
    """What the poller tells about a process. Times are of the monotonic clock."""

    def heard(self, chunk: bytes, now_ns: int) -> bool:
        """Take bytes from standard output. Return False to stop listening to it."""

    def heard_stderr(self, chunk: bytes, now_ns: int) -> bool:
        """Take bytes from standard error. Return False to stop listening to it."""

    def closed(self, now_ns: int) -> None:
        """Take end of file on standard output."""

    def writable(self) -> None:
        """Take note that standard input has room again."""

    def exited(self, now_ns: int) -> None:
        """Take the end of the process. Everything it printed was heard, and it is no longer watched."""

    def overslept(self, late_ns: int) -> None:
        """Take note that the poller was woken late, by much more than timers are inexact."""

    def held_up(self, wait_ns: int) -> None:
        """Take note that the process may have waited so long for its output to be read."""


class Poller:
    """Watches the processes of a table."""

    def __init__(self) -> None:
        self.epoll = select.epoll()
        self._watched: dict[int, tuple[AgentProcess, Listener]] = {}
        """By file descriptor."""
        self.awake_ns = 0
        """When we last stopped listening, to do something else; what agents did since then has not been heard."""
        self._undisturbed: AgentProcess | None = None
        """The process whose output is not listened to yet."""

    def watch(self, process: AgentProcess, listener: Listener, *, undisturbed: bool = False) -> None:
        """Emit the events of a process to its listener from now on.

        ``undisturbed``: during the next :meth:`wait`, only its exit ends the wait. Whatever it prints can be read then, and
        a program that exits quickly need not be interrupted for every event before its exit.
        """
        for fd in (process.stdout, process.stderr, process.pidfd):
            self._watched[fd] = process, listener
        self.epoll.register(process.pidfd, select.EPOLLIN)
        if undisturbed:
            self._undisturbed = process
        else:
            self.epoll.register(process.stdout, select.EPOLLIN)
            self.epoll.register(process.stderr, select.EPOLLIN)

    def _listen(self, process: AgentProcess, since_ns: int) -> None:
        """Listen to the output of a process that was undisturbed since then."""
        self._undisturbed = None
        _, listener = self._watched[process.pidfd]
        for fd in (process.stdout, process.stderr):
            if _waiting_bytes(fd) >= _NEARLY_FULL:
                listener.held_up(monotonic_ns() - since_ns)
            self.epoll.register(fd, select.EPOLLIN)

    def listens_to(self, fd: int) -> bool:
        """Whether a descriptor is watched."""
        return fd in self._watched

    def forget(self, process: AgentProcess) -> None:
        """Watch a process no longer."""
        if self._undisturbed is process:
            self._undisturbed = None
            del self._watched[process.stdout], self._watched[process.stderr]
        for fd in (process.stdin, process.stdout, process.stderr, process.pidfd):
            self._forget(fd)

    def stop_writing(self, process: AgentProcess) -> None:
        """Wait no longer for room on standard input."""
        self._forget(process.stdin)

    def _forget(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            with contextlib.suppress(OSError):
                self.epoll.unregister(fd)

    def write(self, process: AgentProcess, data: bytes, listener: Listener) -> bytes:
        """Write what the pipe to a process takes and return the rest; ``writable`` follows when there is room for it."""
        fd = process.stdin
        try:
            written = os.write(fd, data)
        except BlockingIOError:
            written = 0
        except OSError:  # the agent closed its input, which is no fault: it may know enough to answer
            written = len(data)
        rest = data[written:]
        if not rest:
            self._forget(fd)
        elif fd not in self._watched:
            self._watched[fd] = process, listener
            self.epoll.register(fd, select.EPOLLOUT)
        return rest

    def drain(self) -> None:
        """Take everything that is there already. A pipe can be made larger than one read takes."""
        while self.wait(0):
            pass

    def wait(self, timeout_ns: int) -> bool:
        """Wait at most this long for any event, then emit all there are. Returns whether standard output may hold more."""
        # epoll counts in whole milliseconds and rounds up, so we may wake late; rulings go by the clock.
        start_ns = monotonic_ns()
        events = self.epoll.poll(timeout_ns / 1_000_000_000, EVENTS)
        now_ns = monotonic_ns()
        # The arbiter may have been stopped, or kept from its core, while it slept or since it was last awake.
        late_ns = max(now_ns - start_ns - timeout_ns, start_ns - self.awake_ns)
        self.awake_ns = now_ns
        if late_ns >= OVERSLEPT_NS:
            for listener in {id(listener): listener for _, listener in self._watched.values()}.values():
                listener.overslept(late_ns)
        if self._undisturbed is not None and (self._undisturbed.pidfd, select.EPOLLIN) not in events:
            self._listen(self._undisturbed, start_ns)
            events += self.epoll.poll(0, EVENTS)
        more = False
        exits: list[tuple[AgentProcess, Listener]] = []
        for fd, _ in events:
            if fd not in self._watched:  # forgotten because of an earlier event
                continue
            process, listener = self._watched[fd]
            if fd == process.stdout:
                more = self._read_stdout(process, listener, now_ns) or more
            elif fd == process.stderr:
                self._read_stderr(process, listener, now_ns)
            elif fd == process.stdin:
                listener.writable()
            else:
                exits.append((process, listener))
        for process, listener in exits:
            self._end(process, listener, now_ns)
        return more

    def _read_stdout(self, process: AgentProcess, listener: Listener, now_ns: int) -> bool:
        try:
            chunk = os.read(process.stdout, CHUNK)
        except BlockingIOError:  # the agent has read it back itself, through /proc/self/fd/1
            return False
        if not chunk:
            self._forget(process.stdout)
            listener.closed(now_ns)
        elif not listener.heard(chunk, now_ns):
            self._forget(process.stdout)
        return len(chunk) == CHUNK

    def _read_stderr(self, process: AgentProcess, listener: Listener, now_ns: int) -> None:
        try:
            chunk = os.read(process.stderr, CHUNK)
        except BlockingIOError:
            return
        if not chunk or not listener.heard_stderr(chunk, now_ns):
            self._forget(process.stderr)

    def _end(self, process: AgentProcess, listener: Listener, now_ns: int) -> None:
        # What the process printed is in the pipes by now. Anything later comes from children that hold them open, and may
        # never end.
        for read, fd in ((self._read_stdout, process.stdout), (self._read_stderr, process.stderr)):
            for _ in range(self._reads_left(fd)):
                if fd in self._watched:
                    read(process, listener, now_ns)
        self.forget(process)
        listener.exited(now_ns)

    def _reads_left(self, fd: int) -> int:
        """How many reads take what a pipe holds at this moment; 0 if it is not watched."""
        if fd not in self._watched:
            return 0
        return -(-_waiting_bytes(fd) // CHUNK)

    def close(self) -> None:
        """Stop watching."""
        self.epoll.close()


def _waiting_bytes(fd: int) -> int:
    """How much a pipe holds at this moment."""
    (waiting,) = struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, bytes(4)))
    return int(waiting)
