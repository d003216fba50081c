"""The fast path: asks an ordinary question with fewer system calls.

If a long-lived agent takes its prompt in one write and answers with one line in one read, and nothing else happens,
then no events, no exchange and no kernel readings other than its CPU time are needed. In any other case, what has
happened so far is returned as an :class:`Unfinished` question, which continues on the slow path as if it had started
there.
"""

from __future__ import annotations

from collections.abc import Callable
from os import read, write
from select import EPOLLIN
from time import clock_gettime_ns, monotonic_ns
from typing import NamedTuple

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.poller import EVENTS
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


FastPath = Callable[[str], Answer | Unfinished]
"""Asks the agent; takes the prompt."""


def fast_path(
    seat: int,
    process: AgentProcess,
    meter: Meter,
    poll: Callable[[float, int], list[tuple[int, int]]],
    *,
    limit_ns: int,
    output_bytes: int,
    patience_ns: int,
) -> FastPath:
    """Return a function that asks this process. After ``patience_ns`` it gives up, and the question continues on the
    slow path."""
    # A closure: its variables are faster to read than attributes.
    stdin, stdout, cpu_clock = process.stdin, process.stdout, process.cpu_clock
    answered = [(stdout, EPOLLIN)]
    begin, finish = meter.begin, meter.finish_quick
    quick_ns, patience_s = min(limit_ns, NEGLIGIBLE_NS), patience_ns / 1_000_000_000

    def ask(prompt: str) -> Answer | Unfinished:
        data = prompt.encode()
        written, said, cpu_after_ns = 0, b"", -1
        start_ns = begin()
        try:
            written = write(stdin, data)
            if written == len(data) and poll(patience_s, EVENTS) == answered:
                said = read(stdout, CHUNK)
            now_ns = monotonic_ns()
            cpu_after_ns = clock_gettime_ns(cpu_clock)
        except OSError:
            # The pipe is full or closed; or the agent has read its own output back, through /proc/self/fd/1, before we
            # did; or it was killed and reaped from outside.
            now_ns = monotonic_ns()
        wall_ns, size = now_ns - start_ns, len(said)
        if said.find(b"\n") == size - 1 < output_bytes and wall_ns < quick_ns and size and cpu_after_ns >= 0:
            cpu_ns, charged_ns = finish(wall_ns, now_ns, cpu_after_ns)
            return Answer(seat, said[:-1].decode("utf-8", "replace"), size, None, wall_ns, cpu_ns, charged_ns)
        return Unfinished(start_ns, now_ns, data[written:], said, wall_ns - patience_ns)

    return ask
