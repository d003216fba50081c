"""For tests that are not about workers: real games of real agents, played in the process of the test."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from arbiter.agents.launch.cores import Cores
from arbiter.contest import runner
from arbiter.contest.progress import RunningGame
from arbiter.contest.worker import Done, SandboxCache, play_job
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan


class NoWorkers:
    """In place of :class:`arbiter.contest.pool.Pool`: a game is played when it is waited for, in this process."""

    def __init__(self, plan: Plan, contest: str, size: int, wake_up: int | None = None) -> None:
        self._contest, self._size, self._plan = contest, size, plan
        self._stack = contextlib.ExitStack()
        self._jobs: list[Job] = []

    def __enter__(self) -> NoWorkers:
        self._sandboxes = self._stack.enter_context(SandboxCache(self._plan))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def in_hand(self) -> int:
        return len(self._jobs)

    @property
    def running(self) -> tuple[RunningGame, ...]:
        return tuple(RunningGame(0, job.number, job.game.seats, job.path) for job in self._jobs)

    @property
    def free(self) -> bool:
        return self.in_hand < self._size

    def begin(self, job: Job) -> None:
        self._jobs.append(job)

    def stop_soon(self) -> None:
        pass

    def news(self) -> list[str]:
        return []

    def wait(self) -> Iterator[tuple[Job, Done]]:
        job = self._jobs.pop(0)
        yield job, play_job(self._plan, self._sandboxes, job, self._contest, Cores(None))


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play contests without workers."""
    monkeypatch.setattr(runner, "Pool", NoWorkers)
