"""Reads what a late agent still prints before it is killed: evidence of why it was late.

It is read for a tenth of the agent's time limit, and at most :data:`PATIENCE_NS`; no other clock is running. A
long-lived agent that sleeps although it has read all of its input is waiting for more. Its input is then closed: a
program that has not flushed its output does so when it exits, and a program that reads its input to the end starts to
think. Nothing that is read here counts as an answer.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import termios
from time import monotonic_ns

import msgspec

from arbiter.agents.launch.process import AgentProcess

PATIENCE_NS = 30_000_000
"""The longest time to read from a late agent."""
_COMING_NS = 10_000_000
"""The longest time to wait for an answer that the agent is already working on."""
_STEP_NS = 2_000_000
"""How often to check whether it sleeps: it may have to wait for a core after it was stopped."""
_MOST_BYTES = 4096


class LateOutput(msgspec.Struct, frozen=True):
    """What a late agent printed after the ruling."""

    text: str = ""
    """The first line, if it was completed; empty otherwise."""
    after_ns: int = 0
    """Time from the ruling to that line; 0 if the line came before the ruling."""
    input_closed: bool = False
    """Whether that line came after its input had been closed."""
    unread_bytes: int = 0
    """Input that it had not read at the ruling."""
    unended: bool = False
    """Whether the agent printed that line in time, but never an end of line."""


def patience_ns(wall_ns: int) -> int:
    """Return how long to read from an agent that was ruled late after this time."""
    return min(PATIENCE_NS, wall_ns // 10)


def read_late_output(process: AgentProcess, heard: bytes, *, lives_on: bool, patience_ns: int) -> LateOutput:
    """Listen to a late agent that has printed ``heard`` in time; ``lives_on`` if its input is still open.

    Its standard output is read here and nowhere else from now on.
    """
    unread = _unread(process.stdin)
    start_ns = monotonic_ns()
    reader = _LateReader(process.stdout, heard, whole=not lives_on)
    process.resume()
    until_ns, closed = start_ns + patience_ns, False
    # An answer in progress comes first, so that it is not attributed to the end of input.
    reader.listen(start_ns + min(_COMING_NS, patience_ns // 3))
    while not reader.done and not closed and (now_ns := monotonic_ns()) < until_ns:
        if lives_on and not _unread(process.stdin) and not process.is_ready():
            process.close_stdin()
            closed = True
        reader.listen(until_ns if closed else min(until_ns, now_ns + _STEP_NS))
    after_ns = max(0, reader.heard_ns - start_ns) if reader.answer else 0
    waited_for_more = closed and bool(reader.answer)
    return LateOutput(
        reader.answer,
        after_ns,
        waited_for_more and reader.heard_more,
        unread,
        waited_for_more and not reader.heard_more,
    )


class _LateReader:
    """Collects what a late agent prints until it makes a complete answer."""

    def __init__(self, fd: int, heard: bytes, *, whole: bool) -> None:
        """``whole``: the answer is everything it prints, not a line."""
        self._fd, self._said, self._whole = fd, heard[:_MOST_BYTES], whole
        self._ended = False
        self.heard_more = False
        """Whether anything has been printed since the ruling."""
        self.heard_ns = 0
        """When it last printed something, or ended."""

    @property
    def done(self) -> bool:
        """Whether the answer is complete, or the agent has ended."""
        return self._ended or len(self._said) >= _MOST_BYTES or (not self._whole and b"\n" in self._said)

    @property
    def answer(self) -> str:
        """What would have been the answer; empty if it was not completed."""
        if not (self._ended or (not self._whole and b"\n" in self._said)):
            return ""
        said = self._said.decode(errors="replace").strip()
        return said if self._whole else said.partition("\n")[0].strip()

    def listen(self, until_ns: int) -> None:
        """Wait for an answer until then."""
        poll = select.poll()
        poll.register(self._fd, select.POLLIN)
        while not self.done and (left_ns := until_ns - monotonic_ns()) > 0:
            if poll.poll(-(-left_ns // 1_000_000)):
                self._read()
                self.heard_ns = monotonic_ns()

    def _read(self) -> None:
        try:
            chunk = os.read(self._fd, _MOST_BYTES)
        except BlockingIOError:  # the agent has read it back itself
            return
        self._said += chunk
        self.heard_more = self.heard_more or bool(chunk)
        self._ended = not chunk


def _unread(stdin: int) -> int:
    """Return how much of its input a process has not read; 0 if that is not known."""
    if stdin < 0:
        return 0
    try:
        (waiting,) = struct.unpack("i", fcntl.ioctl(stdin, termios.FIONREAD, bytes(4)))
    except OSError:
        return 0
    return int(waiting)
