"""All pipes of the agents at a table, and a pidfd of each, in one call of poll(2).

Unlike epoll, poll(2) uses up nothing that the processes of a user share: an agent cannot keep us from watching it. For the
few descriptors of a table it is as fast, and registering one takes no system call.

Only this module, the fast path and :mod:`arbiter.agents.launch` use file descriptors. The poller reads and writes, and
emits events to the listener of each process, which interprets them.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import sys
import termios
from collections.abc import Sequence
from time import monotonic_ns
from typing import Protocol

from arbiter import signals
from arbiter.agents.clock.meter import OVERSLEPT_NS
from arbiter.agents.launch.process import CHUNK, AgentProcess

_NEARLY_FULL = CHUNK // 2
"""A process that writes to a pipe with this much in it may be blocked."""
_LOG_MS = 1.0
"""How long to let lines on standard error gather: nothing waits for them, and an agent could wake us for every byte."""


class Listener(Protocol):
    """Receives the events of a process. Times are of the monotonic clock."""

    def heard(self, chunk: bytes, now_ns: int) -> bool:
        """Take bytes from standard output. Return False to stop reading it."""

    def heard_stderr(self, chunk: bytes, now_ns: int) -> bool:
        """Take bytes from standard error. Return False to stop reading it."""

    def closed(self, now_ns: int) -> None:
        """Take end of file on standard output."""

    def writable(self) -> None:
        """Standard input can be written to again."""

    def exited(self, now_ns: int) -> None:
        """The process has exited. All of its output was passed on before, and it is no longer watched."""

    def overslept(self, slept_ns: int, meant_ns: int, busy_ns: int) -> None:
        """The poller slept for ``slept_ns``, which had ``meant_ns`` as its limit, and ``busy_ns`` passed before that; the excess of
        the former or the latter is longer than timer inaccuracy explains."""

    def held_up(self, wait_ns: int) -> None:
        """The process may have waited this long for its output to be read."""


class Poller:
    """Watches the processes of a table."""

    def __init__(self) -> None:
        self.poll = select.poll()
        self._watched: dict[int, tuple[AgentProcess, Listener]] = {}
        """By file descriptor."""
        self._awake_ns = 0
        """When the last poll returned; events since then have not been seen."""
        self._undisturbed: AgentProcess | None = None
        """The process whose output is not polled yet."""
        self._signals = signals.wake_up()
        if self._signals >= 0:
            self.poll.register(self._signals, select.POLLIN)

    def watch(self, process: AgentProcess, listener: Listener, *, undisturbed: bool = False) -> None:
        """Emit the events of a process to its listener from now on.

        ``undisturbed``: during the next :meth:`wait`, only its exit ends the wait. Its output can be read then, and a
        program that exits quickly is not interrupted for every event before its exit.
        """
        for fd in (process.stdout, process.stderr, process.pidfd):
            self._watched[fd] = process, listener
        self.poll.register(process.pidfd, select.POLLIN)
        if undisturbed:
            self._undisturbed = process
        else:
            self.poll.register(process.stdout, select.POLLIN)
            self.poll.register(process.stderr, select.POLLIN)

    def _listen(self, process: AgentProcess, since_ns: int) -> None:
        """Start to poll the output of a process that has been undisturbed since ``since_ns``."""
        self._undisturbed = None
        _, listener = self._watched[process.pidfd]
        for fd in (process.stdout, process.stderr):
            if _waiting_bytes(fd) >= _NEARLY_FULL:
                listener.held_up(monotonic_ns() - since_ns)
            self.poll.register(fd, select.POLLIN)

    def listens_to(self, fd: int) -> bool:
        """Whether a descriptor is watched."""
        return fd in self._watched

    def forget(self, process: AgentProcess) -> None:
        """Stop watching a process."""
        if self._undisturbed is process:
            self._undisturbed = None
            for fd in (process.stdout, process.stderr):  # not registered yet
                self._watched.pop(fd, None)
        for fd in (process.stdin, process.stdout, process.stderr, process.pidfd):
            if fd in self._watched:
                self._forget(fd)

    def stop_writing(self, process: AgentProcess) -> None:
        """Stop waiting for room in its standard input."""
        self._forget(process.stdin)

    def _forget(self, fd: int) -> None:
        if self._watched.pop(fd, None) is not None:
            with contextlib.suppress(KeyError):
                self.poll.unregister(fd)

    def write(self, process: AgentProcess, data: bytes, listener: Listener) -> bytes:
        """Write to a process without blocking and return the rest; ``writable`` is emitted when there is room for
        it."""
        fd = process.stdin
        try:
            written = os.write(fd, data)
        except BlockingIOError:
            written = 0
        except OSError:  # the agent closed its input, which is not a fault: it may know enough to answer
            written = len(data)
        rest = data[written:]
        if not rest:
            self._forget(fd)
        elif fd not in self._watched:
            self._watched[fd] = process, listener
            self.poll.register(fd, select.POLLOUT)
        return rest

    def awake_since(self, awake_ns: int) -> None:
        """Note that the arbiter has been busy since this time, and not waiting for events before that."""
        self._awake_ns = awake_ns

    def drain(self) -> None:
        """Read everything that is in the pipes now. A pipe can be enlarged beyond the size of one read."""
        while self.wait(0):
            pass

    def wait(self, timeout_ns: int) -> bool:
        """Wait at most this long for any event, then emit all events. Returns whether a standard output may hold
        more."""
        # poll rounds up to whole milliseconds, so we may wake late; rulings use the clock.
        start_ns = monotonic_ns()
        events = self.poll.poll(timeout_ns / 1_000_000)
        now_ns = monotonic_ns()
        if events and (left_ms := (start_ns + timeout_ns - now_ns) / 1_000_000) > 0 and self._are_logs(events):
            events = self._gathered(events, min(left_ms, _LOG_MS))
            now_ns = monotonic_ns()
        # The arbiter may have been stopped, or have waited for a core, while it slept or since the last poll.
        slept_ns, busy_ns = now_ns - start_ns, start_ns - self._awake_ns
        self._awake_ns = now_ns
        if slept_ns - timeout_ns >= OVERSLEPT_NS or busy_ns >= OVERSLEPT_NS:
            for listener in {id(listener): listener for _, listener in self._watched.values()}.values():
                listener.overslept(slept_ns, timeout_ns, busy_ns)
        if self._undisturbed is not None and (self._undisturbed.pidfd, select.POLLIN) not in events:
            self._listen(self._undisturbed, start_ns)
            events += self.poll.poll(0)
        more = False
        exits: list[tuple[AgentProcess, Listener]] = []
        for fd, _ in events:
            if fd not in self._watched:  # forgotten because of an earlier event, or the signals
                self._check_signals(fd)
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

    def _are_logs(self, events: Sequence[tuple[int, int]]) -> bool:
        """Whether there is nothing but standard error to read."""
        return all(fd in self._watched and fd == self._watched[fd][0].stderr for fd, _ in events)

    def _gathered(self, logs: list[tuple[int, int]], timeout_ms: float) -> list[tuple[int, int]]:
        """Wait for events other than lines on standard error, for a short time; return all of them."""
        for fd, _ in logs:
            self.poll.unregister(fd)
        try:
            return logs + self.poll.poll(timeout_ms)
        finally:
            for fd, _ in logs:
                self.poll.register(fd, select.POLLIN)

    def _check_signals(self, fd: int) -> None:
        """Raise the exception of a signal whose own exception was lost."""
        if fd == self._signals:
            signals.check()
            with contextlib.suppress(BlockingIOError):  # a signal that does not end the process
                os.read(fd, CHUNK)

    def _read_stdout(self, process: AgentProcess, listener: Listener, now_ns: int) -> bool:
        try:
            chunk = os.read(process.stdout, CHUNK)
        except BlockingIOError:  # the agent has read its own output back, through /proc/self/fd/1
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
        # All output of the process is in the pipes by now. Children that hold the pipes open may write more, without
        # end.
        for read, fd in ((self._read_stdout, process.stdout), (self._read_stderr, process.stderr)):
            for _ in range(self._reads_left(fd)):
                if fd in self._watched:
                    read(process, listener, now_ns)
        self.forget(process)
        listener.exited(now_ns)

    def _reads_left(self, fd: int) -> int:
        """How many reads empty a pipe of what it holds now; 0 if it is not watched."""
        if fd not in self._watched:
            return 0
        return -(-_waiting_bytes(fd) // CHUNK)


def _waiting_bytes(fd: int) -> int:
    """How much a pipe holds now."""
    return int.from_bytes(fcntl.ioctl(fd, termios.FIONREAD, bytes(4)), sys.byteorder)
