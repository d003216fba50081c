"""The fast path: asks ordinary questions with fewer system calls.

If a long-lived agent takes its prompt in one write and answers with one line in one read, and nothing else happens,
then no events, no question and no kernel readings other than its CPU time are needed. In any other case, what has
happened so far is returned as an :class:`Unfinished` question, which continues on the slow path as if it had started
there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import read, write
from select import POLLIN
from time import clock_gettime_ns, monotonic_ns
from typing import NamedTuple

from arbiter.agents.ask.answer import Answer
from arbiter.agents.clock.charge import NEGLIGIBLE_NS
from arbiter.agents.clock.meter import Meter
from arbiter.agents.launch.process import CHUNK, AgentProcess


class Unfinished(NamedTuple):
    """A question that has to continue on the slow path."""

    start_ns: int
    now_ns: int
    unsent: bytes
    """The part of the prompt that the pipe did not take."""
    said: bytes
    """What was read from standard output."""
    late_ns: int
    """How long after its timeout the arbiter was woken; negative if before."""


class FastPath:
    """The fast path to one process."""

    __slots__ = ("answered", "patience_ms", "patience_ns", "receive", "send", "stdout")

    def __init__(
        self,
        send: Callable[[str], tuple[int, bytes]],
        receive: Callable[[int], Answer | Unfinished],
        stdout: int,
        patience_ns: int,
    ) -> None:
        self.send = send
        """Starts the clock and sends a prompt; returns the time of the start, and the part that the pipe did not take."""
        self.receive = receive
        """Reads the answer to the question that was started at this time."""
        self.stdout, self.answered = stdout, [(stdout, POLLIN)]
        """The descriptor to poll, and the events of an answer."""
        self.patience_ns, self.patience_ms = patience_ns, patience_ns / 1_000_000
        """How long to wait before the question continues on the slow path."""

    def unfinished(self, start_ns: int, unsent: bytes) -> Unfinished:
        """Give up on a question; takes what :attr:`send` returned."""
        now_ns = monotonic_ns()
        return Unfinished(start_ns, now_ns, unsent, b"", now_ns - start_ns - self.patience_ns)


Poll = Callable[[float], list[tuple[int, int]]]


def fast_path(
    seat: int,
    process: AgentProcess,
    meter: Meter,
    *,
    limit_ns: int,
    output_bytes: int,
    patience_ns: int,
) -> FastPath:
    """Return the fast path to this process. After ``patience_ns`` it gives up."""
    # Closures: their variables are faster to read than attributes.
    stdin, stdout, cpu_clock = process.stdin, process.stdout, process.cpu_clock
    begin, finish = meter.begin, meter.finish_quick
    quick_ns = min(limit_ns, NEGLIGIBLE_NS)

    def send(prompt: str) -> tuple[int, bytes]:
        data = prompt.encode()
        start_ns = begin()
        try:
            written = write(stdin, data)
        except OSError:  # the pipe is full or closed
            return start_ns, data
        return start_ns, b"" if written == len(data) else data[written:]

    def receive(start_ns: int) -> Answer | Unfinished:
        said, cpu_after_ns = b"", -1
        try:
            said = read(stdout, CHUNK)
            now_ns = monotonic_ns()
            cpu_after_ns = clock_gettime_ns(cpu_clock)
        except OSError:
            # The agent has read its own output back, through /proc/self/fd/1, before we did; or it was killed and reaped
            # from outside.
            now_ns = monotonic_ns()
        wall_ns, size = now_ns - start_ns, len(said)
        if said.find(b"\n") == size - 1 < output_bytes and wall_ns < quick_ns and size and cpu_after_ns >= 0:
            cpu_ns, charged_ns = finish(wall_ns, now_ns, cpu_after_ns)
            return Answer(seat, said[:-1].decode("utf-8", "replace"), size, None, wall_ns, cpu_ns, charged_ns)
        return Unfinished(start_ns, now_ns, b"", said, wall_ns - patience_ns)

    return FastPath(send, receive, stdout, patience_ns)


def ask_together(paths: Sequence[FastPath], prompts: Sequence[str], poll: Poll) -> list[Answer | Unfinished]:
    """Ask several processes at the same time. Any event other than an answer ends the fast path for all processes that have
    not answered yet, since what is in their pipes may be part of an answer."""
    sent = [path.send(prompt) for path, prompt in zip(paths, prompts, strict=True)]
    waiting = {path.stdout: index for index, path in enumerate(paths)}
    found: dict[int, Answer | Unfinished] = {}
    until_ns = sent[0][0] + min([path.patience_ns for path in paths])
    ordinary = not [unsent for _, unsent in sent if unsent]
    while waiting and ordinary:
        events = poll(max(0, until_ns - monotonic_ns()) / 1_000_000)
        ordinary = bool(events) and not [fd for fd, event in events if fd not in waiting or event != POLLIN]
        for fd, _ in events if ordinary else ():
            index = waiting.pop(fd)
            found[index] = paths[index].receive(sent[index][0])
    for index in waiting.values():
        found[index] = paths[index].unfinished(*sent[index])
    return [found[index] for index in range(len(paths))]
