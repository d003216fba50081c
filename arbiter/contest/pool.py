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

from arbiter.contest.definition import Terms
from arbiter.contest.worker import Done, Hiring, Job
from arbiter.errors import UserError

_FAREWELL_S = 10


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

    def hear(self) -> Done | None:
        """A whole line, if one is there. Raises EOFError when the worker has ended."""
        chunk = os.read(self.out.fileno(), 65536)
        if not chunk:
            raise EOFError
        self._text += chunk
        line, newline, rest = self._text.partition(b"\n")
        if not newline:
            return None
        self._text = rest
        return msgspec.json.decode(line, type=Done)

    def end(self) -> str:
        """Collect one that has ended; says how."""
        self._into.close()
        self.out.close()
        code = self._process.wait()
        return f"a worker was ended by signal {-code}" if code < 0 else f"a worker ended with code {code}"

    def dismiss(self) -> None:
        """No more games: it ends by itself."""
        with contextlib.suppress(BrokenPipeError):
            self._into.close()

    def wait(self) -> None:
        try:
            self._process.wait(_FAREWELL_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self.out.close()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Pool:
    """Use as a context manager: on leaving, no worker is left."""

    def __init__(self, terms: Terms, folder: Path, size: int) -> None:
        self._terms, self._folder, self._size = terms, folder, size
        self._workers: list[_Worker] = []
        self._hired = 0

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for worker in self._workers:
            if kind or worker.job:
                worker.kill()
            worker.dismiss()
        for worker in self._workers:
            worker.wait()

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
            worker = _Worker(self._terms, self._folder, self._hired % self._size, self._size)
            self._hired += 1
            self._workers.append(worker)
        worker.play(job)

    def wait(self) -> Iterator[tuple[Job, Done]]:
        """Games that have ended, waiting until a worker has something to say. One that ended took its game along.

        Raises UserError when a worker cannot even begin.
        """
        poll = select.poll()
        by_fd = {worker.out.fileno(): worker for worker in self._workers}
        for fd in by_fd:
            poll.register(fd, select.POLLIN)
        for fd, _ in poll.poll():
            worker = by_fd[fd]
            try:
                done = worker.hear()
            except EOFError:
                self._workers.remove(worker)
                how = worker.end()
                if worker.job:
                    yield worker.job, Done(worker.job.number, how)
                continue
            if done is None:
                continue
            if not worker.ready:
                if done.error:
                    raise UserError(done.error)
                worker.ready = True
            elif worker.job:
                job, worker.job = worker.job, None
                yield job, done
