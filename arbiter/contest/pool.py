"""The workers of a contest: a pool of processes, each of which plays one game at a time."""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Iterator

import msgspec

from arbiter.agents.launch import strays, supervisor
from arbiter.contest.progress import RunningGame
from arbiter.contest.worker import Done, WorkerConfig
from arbiter.contest.worker_process import WorkerProcess
from arbiter.errors import UserError
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan, encode_plan
from arbiter.records.format import HostInfo

_SHUTDOWN_S = 10
"""How long a worker may take to kill its agents before it is killed itself."""
_FAILED_STARTS = 3
"""After this many consecutive workers that ended before they were ready, no more are started."""


class WorkerNumbers(msgspec.Struct, frozen=True):
    """The numbers of a pool's workers among all workers of the machine, from which their cores follow."""

    of: int
    """The number of workers on this machine."""
    first: int = 0
    """The number of the pool's first worker."""
    host: HostInfo | None = None
    """This machine, if it is one of a cluster."""


class _Worker:
    """One worker process and the job it is doing."""

    def __init__(self, plan: Plan, contest: str, number: int, numbers: WorkerNumbers) -> None:
        self._process = WorkerProcess(WorkerConfig(plan, contest, number, numbers.of, os.getpid(), numbers.host))
        self.number, self.pid, self.out = number, self._process.pid, self._process.out
        self.job: Job | None = None
        self.ready = False
        self._partial_line = b""

    def play(self, job: Job) -> None:
        self.job = job
        self._process.send(encode_plan(job))

    def read(self) -> list[Done]:
        """Read the complete lines it has written since. Raises EOFError when the worker has ended."""
        chunk = os.read(self.out, 65536)
        if not chunk:
            raise EOFError
        *lines, self._partial_line = (self._partial_line + chunk).split(b"\n")
        return [msgspec.json.decode(line, type=Done) for line in lines]

    def reap(self) -> str:
        """Wait for a worker that has ended; returns how it ended."""
        self._process.close()
        code = self._process.wait()
        return f"a worker was killed by signal {-code}" if code < 0 else f"a worker ended with exit status {code}"

    def dismiss(self, *, at_once: bool) -> None:
        """Let it end: when its game is over, or at once with all its agents."""
        if at_once:
            self._process.terminate()
        self._process.close_requests()

    def wait(self) -> None:
        try:
            self._process.wait(_SHUTDOWN_S)
        except TimeoutError:
            self._process.kill()
            self._process.wait()
        self._process.close()


class Pool:
    """Up to ``size`` workers. Use as a context manager: on exit, all workers and all their processes are gone."""

    def __init__(
        self, plan: Plan, contest: str, size: int, wake_up: int | None = None, numbers: WorkerNumbers | None = None
    ) -> None:
        """``contest`` is its name, ``wake_up`` a file descriptor that ends :meth:`wait` when it becomes readable.

        By default the workers of the pool are the only ones on this machine.
        """
        self._numbers = numbers or WorkerNumbers(size)
        self._plan, self._contest, self._size, self._wake_up = plan, contest, size, wake_up
        self._workers: list[_Worker] = []
        self._started: set[int] = set()
        """Pids of all workers so far."""
        self._failed_starts = 0
        """Consecutive workers that ended before they were ready."""
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
        """Kill the agents of workers that were killed: as the subreaper, this process has inherited them."""
        strays.sweep(*(str(pid) for pid in self._started - {worker.pid for worker in self._workers}))

    @property
    def in_hand(self) -> int:
        """The number of games being played."""
        return sum(worker.job is not None for worker in self._workers)

    @property
    def running(self) -> tuple[RunningGame, ...]:
        """The games being played, by worker."""
        jobs = sorted(((each.number, each.job) for each in self._workers if each.job), key=lambda one: one[0])
        return tuple(RunningGame(worker, job.number, job.game.seats, job.path) for worker, job in jobs)

    @property
    def free(self) -> bool:
        """Whether one more game can be started."""
        return self.in_hand < self._size

    def begin(self, job: Job) -> None:
        """Give a game to an idle worker, starting one if there is none. The pool must be :attr:`free`."""
        worker = next((worker for worker in self._workers if worker.job is None), None)
        if worker is None:
            taken = {worker.number for worker in self._workers}
            numbers = range(self._numbers.first, self._numbers.first + self._size)
            number = next(number for number in numbers if number not in taken)
            worker = _Worker(self._plan, self._contest, number, self._numbers)
            self._workers.append(worker)
            self._started.add(worker.pid)
        worker.play(job)

    def stop_soon(self) -> None:
        """Finish the games being played: there is no queue."""

    def news(self) -> list[str]:
        """Return nothing: problems of a worker are reported with its game."""
        return []

    def wait(self) -> Iterator[tuple[Job, Done]]:
        """Wait until a worker replies or ends, and yield the games that have ended; with a worker, its game ends.

        Raises UserError when a worker cannot use the plan, or when workers cannot be started at all.
        """
        poll = select.poll()
        by_fd = {worker.out: worker for worker in self._workers}
        for fd in [*by_fd, *([] if self._wake_up is None else [self._wake_up])]:
            poll.register(fd, select.POLLIN)
        for fd, _ in poll.poll():
            if fd == self._wake_up:
                os.read(fd, 4096)
            else:
                yield from self._replies(by_fd[fd])

    def _replies(self, worker: _Worker) -> Iterator[tuple[Job, Done]]:
        try:
            replies = worker.read()
        except EOFError:
            self._workers.remove(worker)
            how = worker.reap()
            self._sweep()
            self._failed_starts = 0 if worker.ready else self._failed_starts + 1
            if self._failed_starts == _FAILED_STARTS:
                raise UserError(f"workers cannot be started: {how}") from None
            if worker.job:
                yield worker.job, Done(worker.job.number, how, lost=True)
            return
        for done in replies:
            if not worker.ready:
                if done.error:
                    raise UserError(done.error)
                worker.ready, self._failed_starts = True, 0
            elif worker.job:
                job, worker.job = worker.job, None
                yield job, done
