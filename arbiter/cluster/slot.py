"""A slot of a host: one core, on which one game is played at a time."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from arbiter.cluster.transfer import SentGame, collect_game
from arbiter.contest.pool import Pool, WorkerNumbers
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan

_MOST_NEWS = 256 << 10
"""The most bytes of a running game to send at a time."""


class HeadStopped(Exception):
    """The head has stopped in the middle of a game."""


class Excerpt(msgspec.Struct, frozen=True):
    """The new part of the record of a game in flight."""

    number: int
    core: int
    """The index of the core among those that play on the machine."""
    begun: int
    """Distinguishes this attempt at the game from others."""
    offset: int
    data: bytes


class Slot:
    """A pool of one worker process, and a pipe that wakes up the thread that waits for its game."""

    def __init__(self, plan: Plan, contest: str, numbers: WorkerNumbers, folder: Path) -> None:
        """``folder`` is where its games are saved until they have been sent to the head."""
        self._readable, self._writable = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._folder = folder
        folder.mkdir(exist_ok=True)
        self._stack = contextlib.ExitStack()
        self._pool = self._stack.enter_context(Pool(plan, contest, 1, self._readable, numbers))
        self._core = numbers.first
        self._playing: tuple[Job, int] | None = None

    def play(self, job: Job, aborted: threading.Event) -> SentGame:
        """Play a game. Raises HeadStopped, and UserError if no worker process can be started."""
        local = msgspec.structs.replace(job, path=str(self._folder / f"{job.number}.jsonl"))
        for path in self._folder.iterdir():  # files of an interrupted game
            path.unlink()
        start = time.perf_counter()
        self._playing = local, time.monotonic_ns()
        self._pool.begin(local)
        try:
            while True:
                for _, done in self._pool.wait():
                    return collect_game(local, done, time.perf_counter() - start)
                if aborted.is_set():
                    raise HeadStopped
        finally:
            self._playing = None

    def wake(self) -> None:
        """Have the thread that waits for a game look whether it was aborted."""
        with contextlib.suppress(OSError):
            os.write(self._writable, b"x")

    def excerpt(self, known: Mapping[int, tuple[int, int]]) -> Excerpt | None:
        """Return what is new in the record that is being written; None if there is nothing."""
        if (playing := self._playing) is None:
            return None
        job, begun = playing
        before, size = known.get(job.number, (begun, 0))
        offset = size if before == begun else 0
        try:
            with Path(job.path).open("rb") as file:
                file.seek(offset)
                data = file.read(_MOST_NEWS)
        except OSError:  # not yet, or not any more
            return None
        return Excerpt(job.number, self._core, begun, offset, data) if data else None

    def close(self) -> None:
        """End the worker process: in the middle of a game if need be."""
        self._stack.close()
        os.close(self._readable)
        os.close(self._writable)
