"""The workers of a contest: as many processes as wanted, each with one game at a time."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arbiter.agents.launch import strays, supervisor
from arbiter.contest.definition import Terms
from arbiter.contest.worker import Done, Hiring, Job
from arbiter.errors import UserError

_FAREWELL_S = 10
"""How long a worker may take to end its agents."""


class _Worker:
    """One process and what it is doing."""

    def __init__(self, terms: Terms, folder: Path, number: int, workers: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "arbiter.contest.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,  # Ctrl-C in the terminal is for us to deal with
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("Popen was asked for pipes")
        self._into, self.out = self._process.stdin, self._process.stdout
        self.number, self.pid = number, self._process.pid
        self.job: Job | None = None
        self.ready = False
        self._text = b""
        self._send(Hiring(terms, str(folder), number, workers, os.getpid()))

    def _send(self, message: msgspec.Struct) -> None:
        with contextlib.suppress(BrokenPipeError):  # it is gone, which is noticed when it is listened to
            self._into.write(msgspec.json.encode(message) + b"\n")
            self._into.flush()

    def play(self, job: Job) -> None:
        self.job = job
        self._send(job)

    def hear(self) -> list[Done]:
        """What it has said since: whole lines. Raises EOFError when the worker has ended."""
        chunk = os.read(self.out.fileno(), 65536)
        if not chunk:
            raise EOFError
        *lines, self._text = (self._text + chunk).split(b"\n")
        return [msgspec.json.decode(line, type=Done) for line in lines]

    def end(self) -> str:
        """Collect one that has ended; says how."""
        with contextlib.suppress(BrokenPipeError):
            self._into.close()
        self.out.close()
        code = self._process.wait()
        return f"a worker was ended by signal {-code}" if code < 0 else f"a worker ended with code {code}"

    def dismiss(self, *, at_once: bool) -> None:
        """It ends by itself: when its game is over, or at once with all its agents."""
        if at_once:
            self._process.terminate()
        with contextlib.suppress(BrokenPipeError):
            self._into.close()

    def wait(self) -> None:
        try:
            self._process.wait(_FAREWELL_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.out.close()


class Pool:
    """Use as a context manager: on leaving, no worker is left, and nothing that one has left behind."""

    def __init__(self, terms: Terms, folder: Path, size: int, signals: int | None = None) -> None:
        """``signals``: a descriptor that ends :meth:`wait` when it can be read."""
        self._terms, self._folder, self._size, self._signals = terms, folder, size, signals
        self._workers: list[_Worker] = []
        self._hired: set[int] = set()
        """Pids of all workers so far."""
        self._supervision = contextlib.ExitStack()

    def __enter__(self) -> Pool:
        self._supervision.enter_context(supervisor.subreaper())
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for worker in self._workers:
            worker.dismiss(at_once=kind is not None or worker.job is not None)
        for worker in self._workers:
            worker.wait()
        self._workers.clear()
        self._sweep()
        self._supervision.close()

    def _sweep(self) -> None:
        """A worker that was killed had no time to end its agents, so the kernel has handed them to us."""
        strays.sweep(*(str(pid) for pid in self._hired - {worker.pid for worker in self._workers}))

    @property
    def in_hand(self) -> int:
        """Games being played."""
        return sum(worker.job is not None for worker in self._workers)

    @property
    def free(self) -> bool:
        """Whether one more game could be begun."""
        return self.in_hand < self._size

    def begin(self, job: Job) -> None:
        """Give a game to a free worker, hiring one if there is none. There must be room."""
        worker = next((worker for worker in self._workers if worker.job is None), None)
        if worker is None:
            taken = {worker.number for worker in self._workers}
            number = next(number for number in range(self._size) if number not in taken)
            worker = _Worker(self._terms, self._folder, number, self._size)
            self._workers.append(worker)
            self._hired.add(worker.pid)
        worker.play(job)

    def wait(self) -> Iterator[tuple[Job, Done]]:
        """Games that have ended, waiting until a worker has something to say. One that ended took its game along.

        Raises UserError when a worker cannot even begin.
        """
        poll = select.poll()
        by_fd = {worker.out.fileno(): worker for worker in self._workers}
        for fd in [*by_fd, *([] if self._signals is None else [self._signals])]:
            poll.register(fd, select.POLLIN)
        for fd, _ in poll.poll():
            if fd == self._signals:
                os.read(fd, 4096)
            else:
                yield from self._listen(by_fd[fd])

    def _listen(self, worker: _Worker) -> Iterator[tuple[Job, Done]]:
        try:
            said = worker.hear()
        except EOFError:
            self._workers.remove(worker)
            how = worker.end()
            self._sweep()
            if worker.job:
                yield worker.job, Done(worker.job.number, how)
            return
        for done in said:
            if not worker.ready:
                if done.error:
                    raise UserError(done.error)
                worker.ready = True
            elif worker.job:
                job, worker.job = worker.job, None
                yield job, done
