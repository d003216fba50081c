"""Many games at once, each played by a process of its own, all begun at the same moment."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from arbiter.bench.worker import Hired, Played, Reading, Task

ODD_US = 5_000
"""Of CPU time that was not charged: not just the time it takes to look."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """What came of it."""

    task: Task
    workers: int
    moves: Sequence[Reading]
    moves_per_s: float
    """Of all together."""

    @property
    def late_by_wall(self) -> int:
        """Moves that took longer than the limit on the wall."""
        return sum(move.wall_us > self.task.limit_us for move in self._as_planned)

    @property
    def late_by_charge(self) -> int:
        """Moves that were ruled late."""
        return sum(move.late for move in self._as_planned)

    @property
    def stood_still(self) -> int:
        """Moves that are left out of everything else, since they were not what they were meant to be: by the count of the
        kernel the agent worked for longer than it did. That happens where a virtual machine is stopped by its host and
        nobody tells the kernel."""
        return len(self.moves) - len(self._as_planned)

    @property
    def _as_planned(self) -> Sequence[Reading]:
        return [move for move in self.moves if not self._is_odd(move)]

    def _is_odd(self, move: Reading) -> bool:
        noticed = not move.late and move.charged_us + ODD_US < move.cpu_us
        return noticed or (self.task.burn_us < self.task.limit_us <= move.cpu_us)

    @property
    def largest_charge_us(self) -> int:
        """Of any move."""
        return max((move.charged_us for move in self._as_planned), default=0)

    @property
    def smallest_charge_us(self) -> int:
        """Of any move."""
        return min((move.charged_us for move in self._as_planned), default=0)

    @property
    def usual_wall_us(self) -> float:
        """Median."""
        return median(move.wall_us for move in self.moves)

    @property
    def largest_wall_us(self) -> int:
        """Of any move."""
        return max(move.wall_us for move in self.moves)


def play_at_once(task: Task, workers: int) -> Crowd:
    """Have so many workers do the task at the same time, dealt out over the cores."""
    with contextlib.ExitStack() as staying:
        crowd = [staying.enter_context(_Worker(task, number, workers)) for number in range(workers)]
        for worker in crowd:
            worker.hear()
        for worker in crowd:
            worker.say(b"go\n")
        played = [msgspec.json.decode(worker.hear(), type=Played) for worker in crowd]
    # Each by its own time: they do not end at the same moment.
    moves_per_s = sum(len(one.moves) * 1e9 / one.took_ns for one in played)
    return Crowd(task, workers, [move for one in played for move in one.moves], moves_per_s)


class _Worker:
    """One process. Use as a context manager: on leaving it has ended."""

    def __init__(self, task: Task, number: int, workers: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arbiter.bench.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.say(msgspec.json.encode(Hired(task, number, workers, os.getpid())) + b"\n")

    def say(self, line: bytes) -> None:
        if self._process.stdin is None:
            raise AssertionError("Popen was asked for pipes")
        with contextlib.suppress(BrokenPipeError):  # it is gone, which is noticed when it is listened to
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def hear(self) -> bytes:
        if self._process.stdout is None:
            raise AssertionError("Popen was asked for pipes")
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a worker of the benchmark ended with code {self._process.wait()}")
        return line

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind:
            self._process.kill()
        with self._process:  # closes its pipes and waits for it
            pass
