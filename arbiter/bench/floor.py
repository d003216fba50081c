"""The floor that costs are compared with: a bare round trip or a bare spawn, without clock, rules or record."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from time import perf_counter_ns


@contextlib.contextmanager
def round_trips(command: Sequence[str], line: str) -> Iterator[Callable[[int], float]]:
    """Start an agent; yield a function that measures round trips: microseconds per blocking write and read."""
    data = line.encode()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bare:
        if bare.stdin is None or bare.stdout is None:
            raise AssertionError("Popen was asked for pipes")
        into, out = bare.stdin.fileno(), bare.stdout.fileno()

        def measure(turns: int) -> float:
            start = perf_counter_ns()
            for _ in range(turns):
                os.write(into, data)
                os.read(out, 65536)
            return (perf_counter_ns() - start) / turns / 1000

        measure(1)  # waits until the agent has started
        yield measure
        bare.stdin.close()


def spawns(command: Sequence[str], line: str, turns: int) -> float:
    """Return the median time in microseconds to spawn a program with pipes, send a line, read its answer and reap it."""
    data = line.encode()
    times = [perf_counter_ns()]
    for _ in range(turns):
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bare:
            if bare.stdin is None or bare.stdout is None:
                raise AssertionError("Popen was asked for pipes")
            os.write(bare.stdin.fileno(), data)
            bare.stdin.close()
            os.read(bare.stdout.fileno(), 65536)
        times.append(perf_counter_ns())
    return median(later - earlier for earlier, later in pairwise(times)) / 1000
