"""Contests without agents and workers: schedules, records and the runner are real, but the games are invented, in any order,
by any number of simulated workers, up to any moment."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from arbiter.contest import runner
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress, RunningGame, RunResult
from arbiter.contest.worker import Done
from arbiter.playing.job import Job
from arbiter.playing.one_game import make_header
from arbiter.playing.plan import Plan
from arbiter.records.format import AnswerLine, FaultInfo, ResultLine
from arbiter.records.writer import RecordWriter
from tests.contest.running.around import plan_of


class Killed(BaseException):
    """The arbiter was stopped here."""


class Workers:
    """In place of :class:`arbiter.contest.pool.Pool`."""

    def __init__(self, plan: Plan, luck: Random, most: int | None) -> None:
        self._entrants = {entrant.agent.name: entrant for entrant in plan.entrants}
        self._plan, self._luck, self._left = plan, luck, most
        self._open: list[tuple[Job, RecordWriter]] = []
        self.played: list[str] = []

    def __call__(self, plan: Plan, contest: str, size: int, wake_up: int | None = None) -> Workers:
        self._size = size
        return self

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        for _job, writer in self._open:
            writer.__exit__()

    @property
    def in_hand(self) -> int:
        return len(self._open)

    @property
    def running(self) -> tuple[RunningGame, ...]:
        return ()

    @property
    def free(self) -> bool:
        return self.in_hand < self._size

    def begin(self, job: Job) -> None:
        entrants = [self._entrants[name] for name in job.game.seats]
        header = make_header(self._plan, job, entrants, contest="cup")
        self._open.append((job, RecordWriter(Path(job.path), header)))

    def stop_soon(self) -> None:
        pass

    def news(self) -> list[str]:
        return []

    def wait(self) -> Iterator[tuple[Job, Done]]:
        if self._left == 0:
            raise Killed
        job, writer = self._open.pop(self._luck.randrange(len(self._open)))
        with writer:
            play(job, writer)
        self.played.append(writer.path.name)
        if self._left is not None:
            self._left -= 1
        if self._luck.random() < 0.1 and self._left == 0:
            raise Killed  # before the runner is notified
        yield job, Done(job.number)


def play(job: Job, writer: RecordWriter) -> None:
    """Invent a game: agents named ``broken…`` never give a good answer, those named ``lazy…`` seldom do."""
    luck = Random(repr(job.game))
    for seat, name in enumerate(job.game.seats):
        bad = name.startswith("broken") or (name.startswith("lazy") and luck.random() < 0.7)
        fault = FaultInfo(kind="crashed", detail="ended with code 3") if bad else None
        writer.answer(AnswerLine(turn=1, seat=seat, move="0", fault=fault, wall_us=1, cpu_us=1, charged_us=1))
    ranks = [luck.randint(1, len(job.game.seats)) for _ in job.game.seats]
    scores = [float(-rank) for rank in ranks]
    seed = job.seed if job.deal_seed else None
    writer.finish(ResultLine(ranks=ranks, scores=scores, reason="luck", turns=1, deal_seed=seed, ended="", digest=""))


def check_counts(progress: ContestProgress, ledger: Ledger) -> None:
    """Whatever happens in a contest, it never has more games than it is said to have."""
    assert progress.played <= len(ledger.played)
    assert progress.total is None or progress.played <= progress.total


def run_invented(
    contest: Contest, *, luck: float = 0, most: int | None = None, workers: int = 1
) -> tuple[RunResult | None, list[str]]:
    """Run a contest of invented games and kill it when ``most`` of them are finished.

    Returns the result, None if it was killed, and the files of the games that were finished."""
    pool = Workers(plan_of(contest), Random(luck), most)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "Pool", pool)
        patch.setattr(os, "sched_getaffinity", lambda _: range(workers))
        try:
            return runner.run_contest(contest, check_counts), pool.played
        except Killed:
            return None, pool.played
