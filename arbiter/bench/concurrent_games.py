"""Games played at the same time, each by its own process, all started together."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from arbiter.bench.worker import Assignment, MoveTiming, Task, WorkerResult
from arbiter.own_module import own_module

UNCHARGED_US = 5_000
"""A move with more uncharged CPU time than this counts as stalled: the meter's own readings cannot account for it."""


@dataclass(frozen=True, slots=True)
class ConcurrentGames:
    """The timings of games that were played at the same time."""

    task: Task
    workers: int
    moves: Sequence[MoveTiming]
    moves_per_s: float
    """Moves per second of all workers together."""

    @property
    def late_by_wall(self) -> int:
        """Number of moves whose wall time exceeded the limit."""
        return sum(move.wall_us > self.task.limit_us for move in self._valid)

    @property
    def late_by_charge(self) -> int:
        """Number of moves that were ruled late."""
        return sum(move.late for move in self._valid)

    @property
    def stalled(self) -> int:
        """Number of moves left out of the other figures because the machine stalled.

        The kernel accounts more CPU time to the agent than it used. That happens when the host pauses a virtual machine
        without reporting it as steal time.
        """
        return len(self.moves) - len(self._valid)

    @property
    def _valid(self) -> Sequence[MoveTiming]:
        return [move for move in self.moves if not self._is_stalled(move)]

    def _is_stalled(self, move: MoveTiming) -> bool:
        noticed = not move.late and move.charged_us + UNCHARGED_US < move.cpu_us
        return noticed or (self.task.burn_us < self.task.limit_us <= move.cpu_us)

    @property
    def largest_charge_us(self) -> int:
        """Largest charge of a move."""
        return max((move.charged_us for move in self._valid), default=0)

    @property
    def smallest_charge_us(self) -> int:
        """Smallest charge of a move."""
        return min((move.charged_us for move in self._valid), default=0)

    @property
    def median_wall_us(self) -> float:
        """Median wall time of a move."""
        return median(move.wall_us for move in self.moves)

    @property
    def largest_wall_us(self) -> int:
        """Largest wall time of a move."""
        return max(move.wall_us for move in self.moves)


def play_concurrently(task: Task, workers: int) -> ConcurrentGames:
    """Have a number of workers, spread over the cores, do the task at the same time."""
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(_Worker(task, number, workers)) for number in range(workers)]
        for worker in running:
            worker.receive()
        for worker in running:
            worker.send(b"go\n")
        results = [msgspec.json.decode(worker.receive(), type=WorkerResult) for worker in running]
    # Each rate is over the worker's own time, since workers do not finish at the same moment.
    moves_per_s = sum(len(one.moves) * 1e9 / one.took_ns for one in results)
    return ConcurrentGames(task, workers, [move for one in results for move in one.moves], moves_per_s)


class _Worker:
    """A worker process. Leaving the context waits for its exit."""

    def __init__(self, task: Task, number: int, workers: int) -> None:
        self._process = subprocess.Popen(
            own_module("arbiter.bench.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.send(msgspec.json.encode(Assignment(task, number, workers, os.getpid())) + b"\n")

    def send(self, line: bytes) -> None:
        if self._process.stdin is None:
            raise AssertionError("Popen was asked for pipes")
        with contextlib.suppress(BrokenPipeError):  # it has exited, which receive() reports
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def receive(self) -> bytes:
        if self._process.stdout is None:
            raise AssertionError("Popen was asked for pipes")
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a benchmark worker exited with status {self._process.wait()}")
        return line

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind:
            self._process.kill()
        with self._process:  # closes its pipes and waits for it
            pass
